// Admission on its own: what it records, that it may be repeated, and that a refusal records nothing.
import { access, mkdir, readdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { createAdmitMap } from '../../activities/admit-map';
import { systemClock } from '../../activities/clock';
import { createLocalRunStore } from '../../activities/store/local-run-store';
import type { RunStore } from '../../activities/store/run-store';
import { createToolRegistry } from '../../activities/tools/tool-registry';
import type { AdmitInput } from '../../contracts/activity-io';
import { CANCEL_GRACE_MS, PAGE_ROWS, SECTION_PAGES } from '../../contracts/limits';
import type { Admission } from '../../contracts/plan';
import { inActivity } from '../helpers/activity-context';
import { domainRows } from '../helpers/map-lab';
import { useTemporaryFolder } from '../helpers/temporary-folder';

const folder = useTemporaryFolder();
const timing = { heartbeatTimeoutMs: 30_000, parkedAfterMs: 30_000 };

const storeHere = (): RunStore => createLocalRunStore({ root: join(folder(), 'runs') });

function admit(spec: object, input: Partial<AdmitInput> = {}, store = storeHere()): Promise<Admission> {
  const tools = createToolRegistry({ providers: [], codeTools: [] });
  const sizes = { pageRows: PAGE_ROWS, sectionPages: SECTION_PAGES };
  const admitMap = createAdmitMap({
    ...{ store, tools, dataRoot: folder(), privateHosts: [], timing, sizes },
    clock: systemClock,
    settlements: { settled: async () => null },
    isRunning: async (mapId) => mapId === 'running',
  });
  return inActivity(() => admitMap({ mapId: 'm', runId: 'run-1', spec, maps: ['known'], ...input }));
}

const spec = (rows: { domain: string }[], rest: object = {}) => ({
  name: 'sizes',
  dataset: { rows, key: 'domain' },
  columns: [{ name: 'size', value: '{{ $length(row.domain) }}' }],
  output: { csv: 'out/sizes.csv' },
  ...rest,
});

async function refusal(promise: Promise<unknown>): Promise<ApplicationFailure> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof ApplicationFailure) return error;
  throw new Error(`expected a refusal, got ${String(error)}`);
}

test('fixes counts and pages, and the pages hold the rows as they were authored', async () => {
  const rows = domainRows(PAGE_ROWS + 50);
  const admission = await admit(
    spec([...rows, { domain: 'r0.example' }], { concurrency: { rows: 7 }, onRowError: 'fail' }),
  );
  expect(admission).toMatchObject({
    concurrency: { rows: 7 },
    onRowError: 'fail',
    pageRows: [PAGE_ROWS, 50],
    pagesPerSection: SECTION_PAGES,
    cardinality: { sourceRows: 301, uniqueInputRows: 300, duplicateOccurrences: 1, outputRows: null },
    plan: { mapId: 'm', runId: 'run-1', name: 'sizes', timing: { ...timing, cancelGraceMs: CANCEL_GRACE_MS } },
  });
  const store = storeHere();
  const pages = [...(await store.readPage('m', 0)), ...(await store.readPage('m', 1))];
  expect(pages.map(({ input }) => input)).toEqual(rows);
  expect(new Set(pages.map(({ identity }) => identity)).size).toBe(300);
});

test('may be repeated by its own run: the recorded numbers come back, although the source has changed', async () => {
  const source = join(folder(), 'in.csv');
  const fromFile = { ...spec([]), dataset: { csv: 'in.csv', key: 'domain' } };
  await writeFile(source, 'domain\na.example\nb.example\n');
  const first = await admit(fromFile);
  await writeFile(source, 'domain\nother.example\n');
  expect(await admit(fromFile)).toEqual(first);
  expect((await storeHere().readPage('m', 0)).map(({ input }) => input.domain)).toEqual(['a.example', 'b.example']);
});

test('an output that a running map writes is refused, also by another name, and nothing stays claimed; one of a lost map is taken over', async () => {
  await mkdir(join(folder(), 'out'));
  await symlink(join(folder(), 'out'), join(folder(), 'link'));
  const summary = join(await realpath(join(folder(), 'out')), 'sizes.summary.json');
  await storeHere().claimOutput(summary, 'running');
  const failure = await refusal(admit(spec(domainRows(1), { output: { jsonl: 'link/sizes.jsonl' } })));
  expect(failure).toMatchObject({ type: 'OUTPUT_IN_USE', nonRetryable: true });
  expect(failure.message).toMatch(
    /sizes\.summary\.json is an output of map running, which runs; .*sluice watch running/,
  );
  expect(await readdir(join(folder(), 'runs', '.outputs'))).toHaveLength(1);
  await storeHere().claimOutput(summary, 'lost', 'running');
  await admit(spec(domainRows(1)));
  expect(await storeHere().claimOutput(summary, 'another')).toBe('m');
});

test('a map that is refused after it has claimed its outputs gives them back', async () => {
  await refusal(admit({ ...spec([]), dataset: { csv: 'nowhere.csv' } }));
  expect(await readdir(join(folder(), 'runs', '.outputs'))).toEqual([]);
});

test('another run under the same id is refused and told which run has it', async () => {
  await admit(spec(domainRows(1)));
  const failure = await refusal(admit(spec(domainRows(1)), { runId: 'run-2' }));
  expect(failure).toMatchObject({ type: 'MAP_EXISTS', nonRetryable: true });
  expect(failure.message).toContain('run-1');
});

test('a limit takes the first rows under the identities of the whole', async () => {
  await admit(spec(domainRows(10)), { mapId: 'whole' });
  await admit(spec(domainRows(10), { limits: { rows: 3 } }), { mapId: 'pilot' });
  const [whole, pilot] = await Promise.all(['whole', 'pilot'].map((mapId) => storeHere().readPage(mapId, 0)));
  expect(pilot).toEqual(whole?.slice(0, 3));
});

test.each([
  ['a spec that is no object', 'INVALID_SPEC', 'text'],
  ['a tool that no worker has', 'INVALID_SPEC', { columns: [{ name: 'x', tool: 'a.b', input: {} }] }],
  ['a map that no worker has', 'INVALID_SPEC', { columns: undefined, map: 'unknown' }],
  ['a dataset that is not there', 'DATASET_UNREADABLE', { dataset: { csv: 'none.csv' } }],
  ['a column that the dataset has', 'INVALID_SPEC', { columns: [{ name: 'domain', value: 1 }] }],
  ['an output outside of the data root', 'OUTPUT_UNWRITABLE', { output: { csv: '../x.csv' } }],
])('%s is refused for good, and there is no manifest', async (_, type, part) => {
  const { columns, ...rest } = spec(domainRows(2));
  const whole = typeof part === 'string' ? part : { ...rest, columns, ...part };
  const wrong = JSON.parse(JSON.stringify(whole));
  const failure = await refusal(admit(wrong));
  expect(failure).toMatchObject({ type, nonRetryable: true });
  expect(failure.details?.[0]).toEqual([{ path: expect.any(String), message: expect.any(String) }]);
  await expect(access(join(folder(), 'runs', 'm', 'manifest.json'))).rejects.toThrow('ENOENT');
});

test('the check of the outputs leaves no file behind', async () => {
  await admit(spec(domainRows(1)));
  expect(await readdir(join(folder(), 'out'))).toEqual([]);
});

test('a column that the header has not is refused with the nearest name; where rows may differ it is a warning', async () => {
  await writeFile(join(folder(), 'firms.csv'), 'domain,first-name\na.example,x\n');
  const columns = [
    { name: 'a', value: '{{ row.domian & row.domain }}' },
    { name: 'b', value: '{{ row.first-name }}' },
  ];
  const refused = await refusal(admit(spec([], { dataset: { csv: 'firms.csv' }, columns })));
  expect(refused.message.split('\n')).toEqual([
    expect.stringMatching(/^columns\[0\]\.value: row\.domian is no column.*did you mean "domain".*first-name$/),
    expect.stringMatching(/^columns\[1\]\.value: row\.first is no column.*backticks: row\.`first-name`/),
  ]);
  expect(await storeHere().readManifest('m')).toBeNull();
  const { warnings } = await admit(spec([{ domain: 'a.example' }], { columns: [columns[0]] }));
  expect(warnings).toEqual([expect.stringMatching(/^W_COLUMN_UNKNOWN: columns\[0\]\.value: row\.domian/)]);
});
