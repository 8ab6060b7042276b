// Whether `npm ci` is needed: the lock file against what is installed.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstMissing } from '../../scripts/dependencies.js';

type Packages = { [path: string]: { version?: string; optional?: boolean; link?: boolean } };

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-dependencies-'));
  await mkdir(join(folder, 'node_modules'));
});

afterEach(() => rm(folder, { recursive: true }));

async function missing(locked: Packages, installed?: Packages): Promise<string | undefined> {
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }));
  if (installed !== undefined) {
    await writeFile(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
  }
  return firstMissing(folder);
}

const locked: Packages = { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0' } };

test('nothing is missing when every locked version is installed', async () => {
  expect(await missing(locked, locked)).toBeUndefined();
});

test('a fresh clone misses its first package', async () => {
  expect(await missing(locked)).toBe('node_modules/a');
});

test('a package with another version is missing', async () => {
  expect(await missing(locked, { ...locked, 'node_modules/b': { version: '1.9.0' } })).toBe('node_modules/b');
});

test('an optional package may be absent, since it may be for another platform', async () => {
  expect(await missing({ ...locked, 'node_modules/c': { version: '1.0.0', optional: true } }, locked)).toBeUndefined();
});

test('a lock file of node_modules that cannot be read counts as nothing installed', async () => {
  await writeFile(join(folder, 'node_modules/.package-lock.json'), '{"packages":');
  expect(await missing(locked)).toBe('node_modules/a');
});
