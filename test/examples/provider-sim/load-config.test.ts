import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSimConfig } from '../../../examples/provider-sim/load-config';

const folder = mkdtempSync(join(tmpdir(), 'provider-sim-'));

function load(text: string, environment = {}) {
  const path = join(folder, 'sim.yaml');
  writeFileSync(path, text);
  return loadSimConfig(path, environment);
}

test('a file gives options, its secret taken from the environment', () => {
  const options = load('providers: { acme: { secret: { env: KEY }, price: 2 }, beacon: {} }', { KEY: 'value' });
  expect(options.providers.acme).toMatchObject({ secret: 'value', price: 2 });
  expect(options.providers.beacon).not.toHaveProperty('secret');
});

test('JSON is read as well', () => {
  expect(load('{ "seed": 3, "providers": {} }')).toMatchObject({ seed: 3 });
});

test('every variable that is not set is named', () => {
  const text = 'providers: { acme: { secret: { env: ONE } }, beacon: { secret: { env: TWO } } }';
  expect(() => load(text)).toThrow(/sim\.yaml: expected these environment variables to be set: ONE, TWO/);
});

test('a problem names the file and the option', () => {
  expect(() => load('providers: { acme: { secret: plain, windows: [{ limit: 0, perMs: 1 }] } }')).toThrow(
    /sim\.yaml is not valid[\s\S]*providers\.acme\.secret[\s\S]*providers\.acme\.windows\[0\]\.limit/,
  );
});
