// Runs the table of dataset cases. Longer than most files: one table-driven check, and the cases that need more than one admission.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contentDigest } from '../../../activities/datasets/content-digest';
import type { DatasetOptions } from '../../../activities/datasets/options';
import { rowWorkflowId } from '../../../contracts/ids';
import type { Json } from '../../../contracts/outcomes';
import {
  ALL_CASES,
  caseById,
  casesOf,
  type DatasetCase,
  expectCaseError,
  inputBytes,
} from '../../helpers/dataset-cases';
import {
  type AcceptedRow,
  acceptedRows,
  admissionError,
  admit,
  type DatasetOutcome,
  type DatasetRun,
  openRun,
  rejectsOf,
  sourceFile,
  warningCodes,
} from '../../helpers/dataset-harness';
import { useTemporaryFolder } from '../../helpers/temporary-folder';

const folder = useTemporaryFolder();

/** Cases whose subject is more than one admission of one file; each has a test of its own below. */
const OWN_TEST = ['PAG-03', 'PAG-04', 'PAG-09', 'PAG-10', 'SNK-12', 'SRC-20', 'SRC-21', 'SRC-22', 'SRC-23', 'SRC-24'];
/** Options of a case that set up the test and are no dataset options. */
const HARNESS_OPTIONS = [
  'expand',
  'fileName',
  'pageSizeRows',
  'chunkBytes',
  'same',
  'differ',
  'pageBytes',
  'secondInputText',
];
/** Warnings that the table lists completely; the others it names only where they matter. */
const COMPLETE_WARNINGS = ['W_BOM', 'W_SEP_DIRECTIVE', 'W_MIXED_NEWLINES', 'W_HEADER_EMPTY', 'W_DELIMITER_SUSPECT'];

/** Chunk and page sizes, paired. Only small inputs are read byte by byte. */
const SMALL_SIZES = [
  { chunkBytes: 1, pageRows: 250 },
  { chunkBytes: 2, pageRows: 1 },
  { chunkBytes: 3, pageRows: 2 },
  { chunkBytes: 7, pageRows: 3 },
  { chunkBytes: 65_536, pageRows: 250 },
];
const LARGE_SIZES = [
  { chunkBytes: 4_093, pageRows: 1 },
  { chunkBytes: 65_536, pageRows: 250 },
];

function sizesFor({ length }: Buffer) {
  if (length > 100_000) return LARGE_SIZES;
  return length > 2_000 ? [{ chunkBytes: 61, pageRows: 2 }, ...LARGE_SIZES] : SMALL_SIZES;
}

function datasetOptions(one: DatasetCase, file: string): DatasetOptions {
  const options = Object.fromEntries(Object.entries(one.options).filter(([name]) => !HARNESS_OPTIONS.includes(name)));
  return { [one.format === 'jsonl' ? 'jsonl' : 'csv']: file, ...options };
}

async function runOf(one: DatasetCase, input: string | Buffer = inputBytes(one)): Promise<DatasetRun> {
  const file = await sourceFile(folder(), (one.options.fileName as string) ?? `data.${one.format}`, input);
  return { folder: folder(), dataset: datasetOptions(one, file) };
}

const plainRows = (rows: { input: { [column: string]: Json } }[]) =>
  JSON.parse(JSON.stringify(rows.map((row) => row.input)));

function counts({ cardinality }: DatasetOutcome) {
  const { sourceRows, blank, rejectedRows, uniqueInputRows, duplicateOccurrences, conflicts } = cardinality;
  return {
    read: sourceRows,
    blank,
    rejected: rejectedRows,
    accepted: uniqueInputRows + duplicateOccurrences,
    distinct: uniqueInputRows,
    duplicates: duplicateOccurrences,
    conflicts,
  };
}

/** Indexes of accepted rows, grouped by input. */
function groups(rows: AcceptedRow[]): number[][] {
  const found = new Map<string, number[]>();
  for (const [at, row] of rows.entries()) {
    const group = row.group ?? row.row.identity;
    found.set(group, [...(found.get(group) ?? []), at]);
  }
  return [...found.values()];
}

async function expectOutcome(one: DatasetCase, run: DatasetRun): Promise<void> {
  const { expect: wanted } = one;
  const outcome = await admit(run);
  const accepted = await acceptedRows(run);
  const { read, rejected, accepted: acceptedCount, distinct, duplicates } = counts(outcome);
  expect([read, acceptedCount]).toEqual([rejected + acceptedCount, distinct + duplicates]);
  if (wanted.counts) expect(counts(outcome)).toMatchObject(wanted.counts);
  if (wanted.columns) expect(outcome.columns).toEqual(wanted.columns);
  if (wanted.rowsJsonText) expect(JSON.stringify(outcome.admitted.map((row) => row.input))).toBe(wanted.rowsJsonText);
  if (Array.isArray(wanted.rows)) {
    const arrays = wanted.rows.some(Array.isArray);
    const rows = arrays
      ? outcome.admitted.map(({ input }) => outcome.columns.map((name) => input[name]))
      : plainRows(outcome.admitted);
    expect(rows).toEqual(wanted.rows);
  }
  const codes = warningCodes(outcome.warnings);
  expect(codes).toEqual(expect.arrayContaining(wanted.warnings ?? []));
  expect(codes.filter((code) => COMPLETE_WARNINGS.includes(code)).sort()).toEqual(
    (wanted.warnings ?? []).filter((code) => COMPLETE_WARNINGS.includes(code)).sort(),
  );
  const rejects = await rejectsOf(outcome);
  expect(rejects.map(({ line, code }) => ({ line, code }))).toEqual(wanted.rejects ?? []);
  expectIdentities(one, outcome, accepted);
  if (wanted.recordByteOffsets) await expectCursors(one, run, accepted);
}

function expectIdentities({ expect: wanted }: DatasetCase, outcome: DatasetOutcome, accepted: AcceptedRow[]): void {
  const identity = wanted.identity as { sameIdentityRows: number[][] } | undefined;
  if (identity) expect(groups(accepted)).toEqual(identity.sameIdentityRows);
  for (const { identity: name } of outcome.admitted) {
    expect(name.length).toBeLessThanOrEqual((wanted.maxWorkflowIdLength as number) ?? 64);
    expect(name).toMatch(new RegExp((wanted.workflowIdPattern as string) ?? '^[a-z0-9:_-]+$'));
    expect(rowWorkflowId('m1', name)).toBe(`m1/r/${name}`);
  }
  if (wanted.executedValuesOfV) expect(outcome.admitted.map(({ input }) => input.v)).toEqual(wanted.executedValuesOfV);
  if (wanted.digestRow1) expect(accepted[0]!.digest).toBe(wanted.digestRow1);
  const equal = wanted.equalDigests as [number, number] | undefined;
  if (equal) expect(accepted[equal[0]]!.digest).toBe(accepted[equal[1]]!.digest);
}

async function expectCursors({ expect: wanted }: DatasetCase, run: DatasetRun, accepted: AcceptedRow[]): Promise<void> {
  expect(accepted.map(({ cursor }) => cursor.byteOffset)).toEqual(wanted.recordByteOffsets);
  expect(accepted.map(({ row }) => row.ordinal)).toEqual(wanted.ordinals);
  for (const [at, { cursor }] of accepted.entries())
    expect(await acceptedRows(run, cursor)).toEqual(accepted.slice(at));
}

const cases = casesOf('csv', 'jsonl').filter(({ id }) => !OWN_TEST.includes(id));

test.each(cases.map((one) => [one.id, one.title, one] as const))('%s %s', async (_id, _title, one) => {
  const run = await runOf(one);
  for (const sizes of sizesFor(inputBytes(one))) {
    const pageRows = (one.options.pageSizeRows as number[] | undefined)?.[0] ?? sizes.pageRows;
    const sized = { ...run, ...sizes, pageRows };
    if (one.expect.error) expectCaseError(await admissionError(sized), one);
    else await expectOutcome(one, sized);
  }
  const first = one.expect.error ? [] : await acceptedRows(run);
  for (const same of (one.options.same ?? []) as string[]) {
    expect((await acceptedRows(await runOf(one, same)))[0]!.digest).toBe(first[0]!.digest);
  }
  for (const other of (one.options.differ ?? []) as string[]) {
    expect((await acceptedRows(await runOf(one, other)))[0]!.digest).not.toBe(first[0]!.digest);
  }
});

test.each(['PAG-03', 'PAG-04'])('%s at every chunk size from 1 to the length of the file', async (id) => {
  const one = caseById(id);
  const run = await runOf(one);
  for (let chunkBytes = 1; chunkBytes <= inputBytes(one).length; chunkBytes++) {
    for (const pageRows of one.options.pageSizeRows as number[])
      await expectOutcome(one, { ...run, chunkBytes, pageRows });
  }
});

test('PAG-09 a row above the page size gets a page of its own', async () => {
  const one = caseById('PAG-09');
  const { pageRows, admitted } = await admit({ ...(await runOf(one)), pageBytes: one.options.pageBytes as number });
  expect(pageRows).toEqual([1, 1]);
  expect(admitted).toHaveLength(one.expect.rows as number);
});

test('PAG-10 a cursor is refused by a source with another header', async () => {
  const one = caseById('PAG-10');
  const [, second] = await acceptedRows(await runOf(one));
  const { reader } = await openRun(await runOf(one, one.options.secondInputText as string));
  let thrown: unknown;
  try {
    reader.read(second!.cursor);
  } catch (error) {
    thrown = error;
  }
  expectCaseError(thrown, one);
});

test.each([
  ['SRC-20', 'W_SOURCE_GREW'],
  ['SRC-21', 'W_SOURCE_CHANGED'],
])('%s a file that changes between pages: the map goes on with what it held at the start', async (id, warning) => {
  const one = caseById(id);
  const run = await runOf(one);
  const changed = one.options.secondInputText as string;
  const afterPage = (page: number) => (page === 0 ? writeFile(join(folder(), 'data.csv'), changed) : Promise.resolve());
  const outcome = await admit({ ...run, pageRows: 1, afterPage });
  expect(outcome.admitted).toHaveLength(inputBytes(one).toString().trim().split('\n').length - 1);
  expect(warningCodes(outcome.warnings)).toContain(warning);
});

test.each(['SRC-22', 'SRC-23'])(
  '%s a second run reuses what has the same identity and the same content',
  async (id) => {
    const one = caseById(id);
    const { reuse: _, ...options } = one.options;
    const keyed = { ...one, options };
    const first = await admit(await runOf(keyed));
    const known = new Map(first.admitted.map(({ identity, input }) => [identity, contentDigest(input)]));
    const second = await admit(await runOf(keyed, one.options.secondInputText as string));
    const executed = second.admitted.filter(({ identity, input }) => known.get(identity) !== contentDigest(input));
    const reused = second.admitted.length - executed.length;
    const present = second.admitted.map(({ identity }) => identity);
    const gone = first.admitted.filter(({ identity }) => !present.includes(identity)).map(({ input }) => input.id);
    const wanted = one.expect.run2 as { [name: string]: unknown };
    expect(first.admitted).toHaveLength((one.expect.run1 as { executed: number }).executed);
    expect({ read: second.cardinality.sourceRows, reused, executed: executed.length }).toMatchObject({
      read: wanted.read,
      reused: wanted.reused,
      executed: wanted.executed,
    });
    if (wanted.executedKeys) expect(executed.map(({ input }) => input.id)).toEqual(wanted.executedKeys);
    if (wanted.goneKeys) expect(gone).toEqual(wanted.goneKeys);
  },
);

test('SRC-24 two files of one content are two rows by position and one by key, in the order of their paths', async () => {
  const one = caseById('SRC-24');
  const { fileName, moreFiles } = one.options as { fileName: string; moreFiles: { [name: string]: string } };
  for (const [name, content] of Object.entries({ [fileName]: one.inputText!, ...moreFiles }))
    await sourceFile(folder(), name, content);
  const csv = [...Object.keys(moreFiles), fileName];
  for (const sizes of SMALL_SIZES) {
    const { admitted } = await admit({ folder: folder(), dataset: { csv }, ...sizes });
    expect(new Set(admitted.map(({ identity }) => identity)).size).toBe(one.expect.rows as number);
    expect(admitted.map(({ ordinal }) => ordinal)).toEqual([0, 1]);
    const keyed = await admit({ folder: folder(), dataset: { csv, key: 'id' }, ...sizes });
    expect(counts(keyed)).toMatchObject({ read: 2, distinct: 1, duplicates: 1, conflicts: 0 });
  }
});

test('SNK-12 a page that is offered again after a crash adds no identity', async () => {
  const one = caseById('SNK-12');
  const { crashAfter: _, ...options } = one.options;
  const run = { ...(await runOf({ ...one, options })), pageRows: 2 };
  const crashed = await admit(run);
  const retried = await admit(run);
  const identities = new Set([...crashed.pages[0]!, ...retried.admitted].map(({ identity }) => identity));
  expect(identities.size).toBe((one.expect.counts as { distinct: number }).distinct);
  expect(counts(retried)).toMatchObject({ read: 3, distinct: 3 });
});

test('the table has every case, each of a format that a test runs', () => {
  const formats = ['csv', 'jsonl', 'source', 'sink-csv', 'sink-jsonl', 'postgres', 'sink-postgres'];
  expect([...new Set(ALL_CASES.map(({ format }) => format))].sort()).toEqual(formats.sort());
  expect(ALL_CASES).toHaveLength(184);
});

test('every case that is left out of a table has a test that names it', async () => {
  const read = (path: string) => readFile(join(__dirname, path), 'utf8');
  const here = await read('dataset-cases.test.ts');
  // Once in the list of exceptions, and once more in a test.
  for (const id of OWN_TEST) expect([id, here.split(id).length - 1 > 1]).toEqual([id, true]);
  const sinks = (await read('../sinks/sink-cases.test.ts')) + (await read('laws.test.ts')) + here;
  const named = casesOf('sink-csv', 'sink-jsonl').filter(({ id }) => /^(SNK-|OUT-C0[89]$|OUT-C16$)/.test(id));
  expect(named).toHaveLength(12);
  for (const { id } of named) expect([id, sinks.split(`'${id}`).length > 1]).toEqual([id, true]);
});
