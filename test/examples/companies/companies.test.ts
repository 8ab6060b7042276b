import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';
import { parseMapSpec } from '../../../contracts/schemas/map-spec';
import { parseProviderFile } from '../../../contracts/schemas/provider-file';
import { companiesCsv } from '../../../examples/companies/write-companies';
import { loadSimConfig } from '../../../examples/provider-sim/load-config';
import { ask, withSim } from '../provider-sim/client';

const folder = join(__dirname, '../../../examples/companies');
const text = (name: string) => readFileSync(join(folder, name), 'utf8');
const yaml = (name: string): unknown => parseYaml(text(name));
const rows = (): { [column: string]: string }[] =>
  parseCsv(text('companies.csv'), { columns: true, skip_empty_lines: true });

test('companies.csv is what the generator writes', () => {
  expect(text('companies.csv')).toBe(companiesCsv());
});

test('it has 300 rows with 298 domains, one row repeated as it is and one domain with other content', () => {
  const first = new Map<string, string>();
  const repeated = rows().flatMap((row) => {
    const content = JSON.stringify(row);
    const earlier = first.get(row.domain ?? '');
    if (earlier === undefined) first.set(row.domain ?? '', content);
    return earlier === undefined ? [] : [earlier === content ? 'same' : 'conflict'];
  });
  expect([rows().length, first.size, repeated]).toEqual([300, 298, ['same', 'conflict']]);
});

test('it has quoted commas and quotes, text beyond ASCII, and one blank line', () => {
  const companies = rows().map(({ company }) => company);
  expect(companies).toEqual(expect.arrayContaining(['Müller, Söhne & Töchter GmbH', 'The "Quiet" Company']));
  expect(companies).toContain('青い川製作所, 東京');
  expect(text('companies.csv').match(/\n\n/g)).toHaveLength(1);
});

test('the map spec is valid', () => {
  expect(parseMapSpec(yaml('companies.map.yaml'))).toMatchObject({ ok: true });
});

test.each(['acme', 'beacon'])('the provider file of %s is valid, and the simulator has the same limits', (name) => {
  const reading = parseProviderFile(yaml(`providers/${name}.provider.yaml`), `${name}.provider.yaml`);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const { limits, tools, provider } = reading.file;
  const simulated = loadSimConfig(join(folder, 'provider-sim.yaml'), { ACME_KEY: 'a', BEACON_KEY: 'b' }).providers[
    name
  ];
  expect(provider).toBe(name);
  expect(limits.concurrency).toBe(simulated?.concurrency);
  expect(limits.rate).toEqual(simulated?.windows?.map(({ limit, perMs }) => ({ limit, per: `${perMs / 1000}s` })));
  expect(Object.values(tools).map(({ price, share }) => [price, share])).toEqual([[simulated?.price, 'run']]);
});

test('the row that says so is a miss, and Acme knows most of the others', async () => {
  const config = loadSimConfig(join(folder, 'provider-sim.yaml'), { ACME_KEY: 'a', BEACON_KEY: 'b' });
  const { windows: _, latencyMs: __, closings: ___, ...acme } = config.providers.acme ?? {};
  await withSim({ seed: 7, providers: { acme } }, async ({ url, ledger }) => {
    for (const { domain } of rows()) await ask(`${url}/acme/v1/company?domain=${domain}`, { secret: 'a' });
    const missed = ledger.filter(({ status }) => status === 404).map(({ input }) => input.domain);
    expect(missed).toContain('nobody-knows.example');
    expect(missed.length).toBeLessThan(45);
    expect(ledger.filter(({ status }) => status === 500).length).toBeGreaterThan(2);
  });
});
