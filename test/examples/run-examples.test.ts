// Every map under examples/ is run as it stands, with its provider files, against a simulator without delays; its table is compared with
// the one in `expected/` beside it. After a change that is meant, SLUICE_UPDATE_EXPECTED=1 writes the expected files anew.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { loadSpec } from '../../client/load-spec';
import type { MapSummary } from '../../contracts/results';
import type { MapSpec } from '../../contracts/schemas/map-spec';
import { loadSimConfig } from '../../examples/provider-sim/load-config';
import { type MapLab, openMapLab } from '../helpers/map-lab';

const EXAMPLES = join(__dirname, '../../examples');
const KEYS = { ACME_KEY: 'acme-test-key', BEACON_KEY: 'beacon-test-key' };

const filesNamed = (ending: RegExp): string[] =>
  readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .sort();

/** The example's simulator with its secrets, prices, misses and faults, but nothing that takes time. */
function fastSimulator(folder: string) {
  const { providers, ...rest } = loadSimConfig(join(folder, 'provider-sim.yaml'), KEYS);
  const fast = Object.entries(providers).map(([name, { closings: _, latencyMs: __, ...own }]) => [name, own]);
  return { ...rest, providers: Object.fromEntries(fast) };
}

/** What a summary tells that is the same in every run. */
const stable = ({ name, status, cardinality, rows, counts, warnings }: MapSummary) => ({
  name,
  status,
  cardinality,
  rows,
  cost: Object.fromEntries(Object.entries(counts.providers).map(([account, { cost }]) => [account, cost])),
  warnings,
});

async function expectFile(path: string, content: string): Promise<void> {
  if (process.env.SLUICE_UPDATE_EXPECTED === '1') {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  expect(content).toBe(readFileSync(path, 'utf8'));
}

const MAPS = filesNamed(/\.map\.(yaml|yml|json)$/);

test('there is a map, and every provider file lies beside one that is run here', () => {
  expect(MAPS).not.toEqual([]);
  const runFolders = MAPS.map((path) => join(dirname(path), 'providers'));
  for (const path of filesNamed(/\.provider\.(yaml|yml|json)$/)) expect(runFolders).toContain(dirname(path));
});

describe.each(MAPS)('%s', (path) => {
  const folder = join(EXAMPLES, dirname(path));
  let lab: MapLab;

  beforeAll(async () => {
    lab = await openMapLab({
      sim: fastSimulator(folder),
      providers: {},
      environment: { SLUICE_PROVIDERS: join(folder, 'providers') },
    });
    Object.assign(process.env, KEYS, { ACME_URL: `${lab.sim.url}/acme`, BEACON_URL: `${lab.sim.url}/beacon` });
    await lab.worker();
  });
  afterAll(() => lab.close());

  test('gives the table that is expected', async () => {
    const { argument } = loadSpec(basename(path), {}, folder);
    const spec = argument as MapSpec;
    const here = (format: 'csv' | 'jsonl') => {
      const output = spec.output[format];
      return output === undefined ? {} : { [format]: join(lab.folder, 'out', basename(output)) };
    };
    const output = { ...spec.output, ...here('csv'), ...here('jsonl') };
    const map = await lab.start({ ...spec, output });
    const { output: written } = await map.result();
    const expected = join(folder, 'expected');
    for (const table of [...written.table, written.failures]) {
      await expectFile(join(expected, relative(join(lab.folder, 'out'), table)), await readFile(table, 'utf8'));
    }
    const summary = stable(JSON.parse(await readFile(written.summary, 'utf8')));
    await expectFile(join(expected, basename(written.summary)), `${JSON.stringify(summary, null, 2)}\n`);
    expect(lab.sim.summary()).toMatchObject({ duplicateCharges: 0 });
  }, 180_000);
});
