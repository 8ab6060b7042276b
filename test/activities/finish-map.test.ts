// The end of a map on its own: order, missing outcomes, sums, and that it may be repeated or interrupted anywhere.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertSums } from '../../activities/assert-sums';
import { createFinishMap } from '../../activities/finish-map';
import { createLocalRunStore } from '../../activities/store/local-run-store';
import type { FinishInput, FinishResult } from '../../contracts/activity-io';
import { noCounters, noCountTable, noRowCounts } from '../../contracts/counting';
import type { Json } from '../../contracts/outcomes';
import type { AdmittedRow } from '../../contracts/plan';
import type { RowOutcome, RowResult } from '../../contracts/results';
import { parseMapSpec } from '../../contracts/schemas/map-spec';
import { inActivity } from '../helpers/activity-context';
import { useTemporaryFolder } from '../helpers/temporary-folder';

const folder = useTemporaryFolder();

const row = (ordinal: number): AdmittedRow => ({
  identity: `k:${ordinal}`,
  ordinal,
  line: ordinal + 2,
  input: { domain: `r${ordinal}.example` },
});
const outcome = (ordinal: number, rest: Partial<RowOutcome> = {}): RowOutcome => ({
  identity: `k:${ordinal}`,
  ordinal,
  status: 'done',
  cells: { size: ordinal },
  skipped: [],
  ledger: [],
  ...rest,
});

const store = () => createLocalRunStore({ root: join(folder(), 'runs') });

/** A map `m` that was admitted with these pages. */
async function admitted(pages: AdmittedRow[][], output: object = {}, more: object = {}): Promise<void> {
  const raw = {
    name: 'sizes',
    dataset: { rows: [{ domain: 'x' }], key: 'domain' },
    columns: [{ name: 'size', value: 1 }],
    output: { jsonl: 'out/t.jsonl', ...output },
    ...more,
  };
  const reading = parseMapSpec(raw);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const count = pages.flat().length;
  for (const [page, rows] of pages.entries()) await store().writePage('m', page, rows);
  await store().createManifest('m', {
    mapId: 'm',
    runId: 'run-1',
    spec: reading.spec as unknown as Json,
    specDigest: '0',
    spoolDigest: '0',
    columns: ['domain'],
    cardinality: {
      ...{ sourceRows: count + 3, rejectedRows: 1, uniqueInputRows: count, duplicateOccurrences: 2, conflicts: 0 },
      ...{ outputRows: null, rowIdentity: 'key', blank: 0 },
    },
    pageRows: pages.map((rows) => rows.length),
    warnings: ['W_OF_ADMISSION'],
    createdAtMs: 1,
  });
}

const write = (page: number, part: number, outcomes: RowResult[]) => store().writePart('m', page, part, outcomes);

function finish(input: Partial<FinishInput> = {}, reach: () => void = () => undefined): Promise<FinishResult> {
  const finishMap = createFinishMap({ store: store(), dataRoot: folder(), reach });
  const whole: FinishInput = {
    ...{
      mapId: 'm',
      runId: 'run-1',
      status: 'completed',
      openedPages: 1,
      withoutResult: [],
      startedAtMs: 1,
      endedAtMs: 5000,
      warnings: [],
    },
    ...input,
  };
  return inActivity(() => finishMap(whole));
}

const out = (name: string) => readFile(join(folder(), 'out', name), 'utf8');
const lines = async (name: string) =>
  (await out(name))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test('rows are in source order, whatever order they ended in', async () => {
  await admitted([[row(0), row(1), row(2)]]);
  await write(0, 0, [outcome(2)]);
  await write(0, 1, [outcome(0), outcome(1)]);
  const result = await finish({ warnings: ['W_OF_THE_MAP'] });
  expect((await lines('t.jsonl')).map(({ size, _status }) => [size, _status])).toEqual([
    [0, 'done'],
    [1, 'done'],
    [2, 'done'],
  ]);
  expect(result).toMatchObject({
    rows: { done: 3 },
    cardinality: { outputRows: 3 },
    warnings: ['W_OF_ADMISSION', 'W_OF_THE_MAP'],
  });
});

test('rows of pages that never opened are not run, those of a terminated page unknown unless their outcome was written', async () => {
  await admitted([[row(0), row(1)], [row(2)], [row(3)]]);
  await write(0, 0, [outcome(1)]);
  const withoutResult = [
    { page: 0, status: 'unknown' as const },
    { page: 1, status: 'not_run' as const },
  ];
  const { rows } = await finish({ openedPages: 2, withoutResult, status: 'cancelled' });
  expect(rows).toMatchObject({ unknown: 1, done: 1, not_run: 2 });
  expect(await lines('t.failures.jsonl')).toMatchObject([
    {
      line: 2,
      key: { domain: 'r0.example' },
      identity: 'k:0',
      status: 'unknown',
      code: 'ROW_TERMINATED',
      repairable: false,
    },
    { line: 4, status: 'not_run', code: 'NOT_RUN' },
    { line: 5, status: 'not_run', code: 'NOT_RUN' },
  ]);
});

test('a row without an outcome on a page that ended is a fault: no table, no temporary file', async () => {
  await admitted([[row(0), row(1)]]);
  await write(0, 0, [outcome(0)]);
  await expect(finish()).rejects.toThrow('row k:1 (line 3) of page 0 has no outcome');
  expect(await readdir(join(folder(), 'out'))).toEqual([]);
});

test('a result that was stored for its size is read back whole', async () => {
  await admitted([[row(0)]]);
  const whole = outcome(0, { cells: { size: 'x'.repeat(50_000) } });
  const stored = await store().putValue('m', JSON.stringify(whole));
  const counts = { columns: {}, providers: {} };
  await write(0, 0, [{ identity: 'k:0', ordinal: 0, status: 'done', stored, counts }]);
  await finish();
  expect((await lines('t.jsonl'))[0].size).toHaveLength(50_000);
});

test('it may be repeated after its tables have their names: the same tables, no complaint', async () => {
  await admitted([[row(0)]], { csv: 'out/t.csv' });
  await write(0, 0, [outcome(0)]);
  const interrupt = () => {
    throw new Error('the worker was lost');
  };
  await expect(finish({}, interrupt)).rejects.toThrow('the worker was lost');
  const before = await out('t.csv');
  await finish();
  expect(await out('t.csv')).toBe(before);
  expect((await readdir(join(folder(), 'out'))).sort()).toEqual(
    ['t.csv', 't.failures.jsonl', 't.jsonl', 't.summary.json'].sort(),
  );
});

test('a table that somebody else put there meanwhile is not replaced', async () => {
  await admitted([[row(0)]]);
  await write(0, 0, [outcome(0)]);
  await store().putValue('m', '1');
  await finish({ runId: 'other' });
  await writeFile(join(folder(), 'out', 't.jsonl'), 'mine\n');
  await expect(finish()).rejects.toThrow('out/t.jsonl exists with other content');
  expect(await out('t.jsonl')).toBe('mine\n');
});

test('columns: those that the spec names, in its order; a TypeScript map has those that its rows returned', async () => {
  await admitted([[row(0)]], { csv: 'out/t.csv', columns: ['size'] });
  await write(0, 0, [outcome(0)]);
  await finish();
  expect((await out('t.csv')).split(/\r?\n/)[0]).toBe('size,_status,_error');
});

describe('assertSums', () => {
  const sums = {
    sourceRows: 5,
    rejectedRows: 1,
    uniqueInputRows: 3,
    duplicateOccurrences: 1,
    conflicts: 0,
    outputRows: 3,
  };
  const summary = (change: object) => ({
    mapId: 'm',
    cardinality: { ...sums, rowIdentity: 'key' as const, ...change },
    rows: { ...noRowCounts(), done: 2, failed: 1 },
    counts: noCountTable(),
  });

  test('holds, and with rows done the table has the finished ones', () => {
    expect(() => assertSums(summary({}), 'all')).not.toThrow();
    expect(() => assertSums(summary({ outputRows: 2 }), 'done')).not.toThrow();
  });

  test.each([
    ['a lost source row', { sourceRows: 6 }, 'sourceRows = '],
    ['a row without status', { sourceRows: 6, uniqueInputRows: 4 }, 'sum of the row statuses'],
    ['a row missing in the table', { outputRows: 2 }, 'outputRows = rows written'],
  ])('tells of %s', (_, change, part) => {
    expect(() => assertSums(summary(change), 'all')).toThrow(part);
  });

  test('tells of a call that is counted for its column alone', () => {
    const counts = { columns: { firm: { ...noCounters(), executed: 1 } }, providers: {} };
    expect(() => assertSums({ ...summary({}), counts }, 'all')).toThrow(
      'executed of all columns = executed of all providers',
    );
  });
});
