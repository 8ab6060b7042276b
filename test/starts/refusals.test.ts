// Bad input that only a worker can see: every problem is named with place, finding and expectation, and nothing is started or touched.
import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Problem } from '../../contracts/failures';
import { callColumns } from '../controls/look';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, type MapSpecInput, openMapLab, type StartedMap } from '../helpers/map-lab';

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({ sim: { providers: { acme: { missRate: 0 } } }, providers: { acme: {} } });
  await lab.worker();
  const files = { 'firms.csv': 'domain,size\na.example,1\n', 'torn.csv': 'domain\n"a.example\n' };
  for (const [name, text] of Object.entries(files)) await writeFile(join(lab.folder, name), text);
  await mkdir(join(lab.folder, 'out', 'there.jsonl'), { recursive: true });
  await writeFile(join(lab.folder, 'out', 'here.jsonl'), 'kept\n');
});
afterAll(() => lab.close());

interface Refusal {
  code: string;
  message: string;
  problems: Problem[];
}

/** Starts a map that must be refused, and looks that nothing of it was started or written. */
async function refusal(spec: MapSpecInput): Promise<Refusal> {
  const before = await readdir(join(lab.folder, 'out'));
  const map = await lab.start(spec);
  const error: unknown = await map.result().then(
    () => new Error('the map was admitted'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
  const { type, message, details } = error.cause;
  expect(await readdir(join(lab.folder, 'out'))).toEqual(before);
  await expect(access(join(lab.folder, '.sluice/runs', map.mapId, 'manifest.json'))).rejects.toThrow('ENOENT');
  const { events } = await map.handle.fetchHistory();
  expect(events?.filter((event) => event.startChildWorkflowExecutionInitiatedEventAttributes)).toEqual([]);
  return { code: type ?? '', message, problems: (details?.[0] ?? []) as Problem[] };
}

const firms = { csv: 'firms.csv', key: 'domain' };
const columns = callColumns('acme.company');

test.each([
  ['a missing file', { csv: 'nowhere.csv' }, ['E_SOURCE_NOT_FOUND', 'nowhere.csv']],
  ['a folder', { csv: 'providers' }, ['E_SOURCE_NOT_FILE', 'providers']],
  [
    'a key column that is not there',
    { csv: 'firms.csv', key: 'Domain' },
    ['E_KEY_COLUMN_MISSING', '"domain", "size"', 'did you mean "domain"'],
  ],
  ['a quote that is never closed', { csv: 'torn.csv' }, ['E_CSV_QUOTE_UNCLOSED', 'line 2']],
  ['a path that leaves the data root', { csv: '../secret.csv' }, ['E_SOURCE_NOT_ALLOWED', '../secret.csv']],
])('dataset: %s', async (_, dataset, parts) => {
  const { code, message, problems } = await refusal({ dataset, columns });
  expect([code, problems[0]?.path]).toEqual(['DATASET_UNREADABLE', 'dataset']);
  for (const part of parts) expect(message).toContain(part);
});

test.each([
  [
    'an unknown tool',
    [{ name: 'x', tool: 'acme.compny', input: {} }],
    'columns[0].tool',
    'did you mean "acme.company"?',
  ],
  [
    'an unknown account',
    [{ name: 'x', tool: 'acme.company', account: 'spare', input: {} }],
    'columns[0].tool',
    'acme has no account "spare"; it has default',
  ],
  [
    'an expression that is no JSONata',
    [{ name: 'x', value: '{{ row. }}' }],
    'columns[0].value',
    'not a JSONata expression',
  ],
  [
    'a column that the dataset has too',
    [{ name: 'size', value: 1 }],
    'columns[0].name',
    '"size", which the source has too',
  ],
  ['a cell that no column before it fills', [{ name: 'x', value: '{{ cells.later }}' }], 'columns[0].value', 'later'],
])('spec: %s', async (_, wrong, path, part) => {
  const { code, problems } = await refusal({ dataset: firms, columns: wrong });
  expect({ code, problems }).toEqual({
    code: 'INVALID_SPEC',
    problems: [{ path, message: expect.stringContaining(part) }],
  });
});

test('spec: a TypeScript map that the worker does not have', async () => {
  const { code, problems } = await refusal({ dataset: firms, map: 'cheapest-frist', tools: ['acme.company'] });
  expect({ code, problems }).toEqual({
    code: 'INVALID_SPEC',
    problems: [
      { path: 'map', message: expect.stringMatching(/no map "cheapest-frist".*did you mean "cheapest-first"/) },
    ],
  });
});

test('spec: all of five problems are listed by their paths', async () => {
  const { code, message, problems } = await refusal({
    dataset: { csv: 'firms.csv', key: [] },
    columns: [
      { name: 'a b', value: 1 },
      { name: 'x', tool: 'acme.company' },
    ],
    concurrency: { rows: 0 },
    onRowError: 'shrug',
  });
  expect(code).toBe('INVALID_SPEC');
  const paths = problems.map(({ path }) => path);
  expect(paths.sort()).toEqual([
    'columns[0].name',
    'columns[1].input',
    'concurrency.rows',
    'dataset.key',
    'onRowError',
  ]);
  for (const path of paths) expect(message).toContain(`${path}: `);
});

test.each([
  ['a table that exists', { jsonl: 'out/here.jsonl' }, 'OUTPUT_EXISTS', 'out/here.jsonl exists'],
  [
    'a folder in its place',
    { jsonl: 'out/there.jsonl', overwrite: true },
    'OUTPUT_UNWRITABLE',
    'out/there.jsonl is a folder',
  ],
  [
    'the dataset itself',
    { csv: 'firms.csv', overwrite: true },
    'OUTPUT_IS_INPUT',
    'firms.csv is the source of the map',
  ],
  ['a path that leaves the data root', { csv: '../up.csv' }, 'OUTPUT_UNWRITABLE', '../up.csv leaves the data root'],
])('output: %s', async (_, output, code, part) => {
  expect(await refusal({ dataset: firms, columns: callColumns('acme.company'), output })).toMatchObject({
    code,
    problems: [{ path: 'output', message: expect.stringContaining(part) }],
  });
  expect(await readFile(join(lab.folder, 'out/here.jsonl'), 'utf8')).toBe('kept\n');
  expect(await readFile(join(lab.folder, 'firms.csv'), 'utf8')).toContain('a.example');
});

test('output: one that another map writes at its end, until that one has ended or was terminated', async () => {
  const spec = { dataset: { rows: domainRows(1), key: 'domain' }, columns, output: { csv: 'out/shared.csv' } };
  const ends: ((map: StartedMap) => Promise<unknown>)[] = [
    ({ handle }) => handle.terminate('by the test'),
    async (map) => {
      await map.signal('cancel');
      await map.result();
    },
  ];
  for (const end of ends) {
    const first = await lab.start(spec);
    await first.signal('pause');
    await eventually(first.progress, ({ cardinality }) => cardinality !== null);
    const { code, message } = await refusal({ ...spec, output: { csv: 'out/shared.csv', overwrite: true } });
    expect([code, message]).toEqual(['OUTPUT_IN_USE', expect.stringContaining(`is an output of map ${first.mapId}`)]);
    await end(first);
  }
  await (await lab.start({ ...spec, output: { csv: 'out/shared.csv', overwrite: true } })).result();
  expect(await readFile(join(lab.folder, 'out/shared.csv'), 'utf8')).toContain('r0.example');
});

test('map id: one that was used before, and one that is none', async () => {
  const once = { dataset: { rows: domainRows(1), key: 'domain' }, columns: [{ name: 'x', value: 1 }] };
  await (await lab.start(once, 'once')).result();
  const again = await lab.start({ ...once, output: { jsonl: 'out/again.jsonl' } }, 'once');
  const cause = async (promise: Promise<unknown>) => ((await promise.catch((e: unknown) => e)) as Error).cause;
  expect(await cause(again.result())).toMatchObject({ type: 'MAP_EXISTS', message: expect.stringContaining('once') });
  expect(await readdir(join(lab.folder, 'out'))).not.toContain('again.jsonl');
  const odd = await lab.start({ ...once, output: { jsonl: 'out/odd.jsonl' } }, 'no/map');
  expect(await cause(odd.result())).toMatchObject({
    type: 'INVALID_MAP_ID',
    message: expect.stringContaining('"no/map"'),
  });
});
