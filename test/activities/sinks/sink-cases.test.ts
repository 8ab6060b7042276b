import { open, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { checkOutput } from '../../../activities/sinks/check-output';
import { openOutputFile } from '../../../activities/sinks/output-file';
import type { SinkOptions, TableRow } from '../../../activities/sinks/sink';
import { checkColumns } from '../../../activities/sinks/table-columns';
import { openTable, type TableFormat } from '../../../activities/sinks/table-formats';
import { createLocalRunStore } from '../../../activities/store/local-run-store';
import { readSettledRows } from '../../../activities/store/page-outcomes';
import { type NormalizeOptions, normalizeResult } from '../../../contracts/result-json';
import { outcome, row } from '../../conformance/run-store';
import { caseById, casesOf, type DatasetCase, expectCaseError } from '../../helpers/dataset-cases';
import { useTemporaryFolder } from '../../helpers/temporary-folder';

const folder = useTemporaryFolder();
const at = (name: string) => join(folder(), name);

/** Codes that the product names without the letter E, as failure codes of a map. */
const PRODUCT_CODES: { [code: string]: string } = {
  E_OUTPUT_IS_INPUT: 'OUTPUT_IS_INPUT',
  E_OUTPUT_EXISTS: 'OUTPUT_EXISTS',
};

/** Cases about files and crashes, each with a test of its own below. OUT-C16 is a property test. */
const OWN_TEST = /^(SNK-|OUT-C0[89]$|OUT-C16$)/;

const formatOf = ({ format }: DatasetCase): TableFormat => (format === 'sink-csv' ? 'csv' : 'jsonl');

/** The values of a case, made in a realm of their own, as those of a workflow sandbox are. */
const valuesOf = ({ inputText }: DatasetCase): object[] => runInNewContext(inputText!, { Buffer }) as object[];

interface WriteRun {
  columns: readonly string[];
  options?: SinkOptions;
  normalize?: NormalizeOptions;
  name?: string;
}

async function write(
  one: DatasetCase,
  rows: readonly unknown[],
  { columns, options = {}, normalize = {}, name = 'out' }: WriteRun,
) {
  const table = await openTable({
    format: formatOf(one),
    path: at(name),
    columns,
    owner: 'run-1',
    overwrite: false,
    options,
  });
  let nulled = 0;
  try {
    for (const value of rows) {
      const result = normalizeResult(value, normalize);
      nulled += result.nulled;
      await table.write(result.json as TableRow);
    }
    const written = await table.finish();
    return { text: await readFile(at(name), 'utf8'), sanitized: nulled + written.sanitized };
  } finally {
    await table.abort();
  }
}

function runOf({ options }: DatasetCase, values: readonly object[]): WriteRun {
  const names = new Set(values.flatMap((value) => Object.keys(value)));
  return {
    columns: (options.columns as string[]) ?? [...names],
    options: { formulaSafe: options.formulaSafe === true, excel: options.bom === true },
    normalize: options.nonFinite ? { nonFinite: options.nonFinite as 'string' } : {},
  };
}

const cases = casesOf('sink-csv', 'sink-jsonl').filter(({ id }) => !OWN_TEST.test(id));

test.each(cases.map((one) => [one.id, one.title, one] as const))('%s %s', async (_id, _title, one) => {
  const values = valuesOf(one);
  const written = write(one, values, runOf(one, values));
  if (one.expect.error) {
    const error = await written.catch((thrown: unknown) => thrown);
    const { path } = one.expect.error.at ?? {};
    if (path) expect(error).toMatchObject({ path });
    expectCaseError(Object.assign(error as Error, { scope: 'row', at: { path } }), one);
    return;
  }
  const { text, sanitized } = await written;
  expect(text).toBe(one.expect.output);
  expect(sanitized).toBe(one.expect.sanitized ?? 0);
});

test.each(['OUT-C08', 'OUT-C09'])('%s colliding columns are told before the first row, with a free name', (id) => {
  const { options, expect: wanted } = caseById(id);
  const [source, results] = [options.inputColumns as string[], options.resultColumns as string[]];
  const problems = checkColumns(source, results, options.prefix as string | undefined);
  expect(problems).toHaveLength(1);
  for (const part of wanted.error!.messageIncludes!) expect(problems[0]!.message).toContain(part);
});

test.each([
  ['SNK-01', 'id,r\r\n1,a\r\n2,b'],
  ['SNK-03', '{"id":"1"}\n{"t":"\u00c3'],
])('%s a torn leftover is never continued: the retry writes the table anew', async (id, torn) => {
  const one = caseById(id);
  await writeFile(at('.out.run-1.torn.tmp'), torn);
  const rows = [id === 'SNK-01' ? { id: '1', r: 'a' } : { id: '1' }, ...(one.options.then as object[])];
  const columns = [...new Set(rows.flatMap((value) => Object.keys(value)))];
  const { text } = await write(one, rows, { columns });
  expect(text).toBe(one.expect.output);
  expect(await readdir(folder())).toEqual(['out']);
});

test('SNK-04 rows that finish 3, 1, 2 are written in source order', async () => {
  const one = caseById('SNK-04');
  const values = valuesOf(one) as { id: string; r: string }[];
  const store = createLocalRunStore({ root: at('store') });
  await store.writePage(
    'm1',
    0,
    values.map((_, ordinal) => row(ordinal)),
  );
  for (const [part, ordinal] of (one.options.completion as number[]).entries()) {
    await store.writePart('m1', 0, part, [outcome(ordinal, { ...values[ordinal]! })]);
  }
  const settled = await readSettledRows(store, 'm1', 0);
  const { text } = await write(
    one,
    settled.map((each) => each.outcome!.cells),
    { columns: one.options.columns as string[] },
  );
  expect(text).toBe(one.expect.output);
});

test('SNK-05 a part that was renamed before the crash is only confirmed by the retry', async () => {
  const store = createLocalRunStore({ root: at('store') });
  const first = await store.writePart('m1', 0, 0, [outcome(0)]);
  expect(await store.writePart('m1', 0, 0, [outcome(0)])).toEqual(first);
  expect(await store.listParts('m1', 0)).toEqual([first]);
});

test('SNK-06 a crash during the final writing leaves no table, and the retry clears up', async () => {
  const one = caseById('SNK-06');
  const half = await openTable({ format: 'csv', path: at('out'), columns: ['id'], owner: 'run-1', overwrite: false });
  await half.write({ id: '1' });
  expect(await readdir(folder())).not.toContain('out');
  const { text } = await write(one, [{ id: '1' }, { id: '2' }], { columns: ['id'] });
  expect(text).toBe('id\r\n1\r\n2\r\n');
  expect(await readdir(folder())).toEqual(['out']);
  await half.abort();
});

test('SNK-07 failed rows leave no half row in a table of finished ones', async () => {
  const one = caseById('SNK-07');
  const values = valuesOf(one) as { id: string; r?: string; error?: string }[];
  const { text } = await write(
    one,
    values.filter(({ error }) => error === undefined),
    { columns: one.options.columns as string[] },
  );
  expect(text).toBe(one.expect.output);
});

test('SNK-08 an output that is the input under another name is refused', async () => {
  const one = caseById('SNK-08');
  await writeFile(at('in.csv'), 'id\n');
  await symlink(at('in.csv'), at('link-to-in.csv'));
  const error = await checkOutput([at('link-to-in.csv')], { overwrite: true, inputPaths: [at('in.csv')] }).catch(
    (thrown: unknown) => thrown,
  );
  expectCaseError(error, withProductCode(one));
});

test('SNK-09 the output of another run is not changed', async () => {
  const one = caseById('SNK-09');
  await writeFile(at('out'), 'of another run');
  const error = await write(one, [{ id: '1' }], { columns: ['id'] }).catch((thrown: unknown) => thrown);
  expectCaseError(error, withProductCode(one));
  expect(await readFile(at('out'), 'utf8')).toBe('of another run');
});

test('SNK-10 a full disk gives no table, and a retry writes the whole one', async () => {
  const one = caseById('SNK-10');
  // The device answers every write with "no space left", as a full disk does.
  const request = { path: at('out'), owner: 'run-1', overwrite: false, openFile: () => open('/dev/full', 'w') };
  const file = await openOutputFile(request);
  await file.write('id\r\n1\r\n');
  expectCaseError(await file.finish().catch((thrown: unknown) => thrown), one);
  await file.abort();
  expect(await readdir(folder())).toEqual([]);
  expect((await write(one, [{ id: '1' }], { columns: ['id'] })).text).toBe('id\r\n1\r\n');
});

function withProductCode(one: DatasetCase): DatasetCase {
  const error = one.expect.error!;
  return { ...one, expect: { ...one.expect, error: { ...error, code: PRODUCT_CODES[error.code] ?? error.code } } };
}
