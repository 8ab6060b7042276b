import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetOptions } from '../../../activities/datasets/options';
import type { Json } from '../../../contracts/outcomes';
import { admissionError, admit, rejectsOf, sourceFile, warningCodes } from '../../helpers/dataset-harness';
import { useTemporaryFolder } from '../../helpers/temporary-folder';

const folder = useTemporaryFolder();
const csvRun = async (text: string, options: DatasetOptions = {}) => ({
  folder: folder(),
  dataset: { csv: await sourceFile(folder(), 'data.csv', text), ...options },
});
const rowsRun = (rows: Json[], options: DatasetOptions = {}) => ({ folder: folder(), dataset: { rows, ...options } });

test('the first of two rows with one key wins, and a differing one is told with both lines', async () => {
  const { admitted, cardinality, warnings } = await admit(await csvRun('id,v\n1,x\n2,y\n1,z\n1,x\n', { key: 'id' }));
  expect(admitted.map(({ input }) => input.v)).toEqual(['x', 'y']);
  expect(cardinality).toMatchObject({ sourceRows: 4, uniqueInputRows: 2, duplicateOccurrences: 2, conflicts: 1 });
  expect(warnings.join()).toContain('line 4 (first at line 2)');
});

test('last: the last content under the place of the first', async () => {
  const options: DatasetOptions = { key: 'id', onDuplicateKey: 'last' };
  const { admitted } = await admit(await csvRun('id,v\n1,x\n2,y\n1,z\n', options));
  expect(admitted.map(({ ordinal, line, input }) => [ordinal, line, input.v])).toEqual([
    [0, 4, 'z'],
    [1, 3, 'y'],
  ]);
});

test('a limit admits the first rows under the identities that they have without it, and says so', async () => {
  const run = await csvRun('id\n1\n1\n2\n3\n', { key: 'id' });
  const whole = await admit(run);
  const limited = await admit({ ...run, limitRows: 2 });
  expect(limited.admitted).toEqual(whole.admitted.slice(0, 2));
  expect(limited.cardinality).toMatchObject({ sourceRows: 3, uniqueInputRows: 2, duplicateOccurrences: 1 });
  expect(warningCodes(limited.warnings)).toContain('W_LIMITED');
  expect(warningCodes((await admit({ ...run, limitRows: 3 })).warnings)).not.toContain('W_LIMITED');
});

test('inline rows pass the same checks as JSON Lines', async () => {
  const rows = [
    { id: 1, tags: ['a'] },
    { id: 2, late: null },
  ];
  const { admitted, columns, cardinality, sourcePaths } = await admit(rowsRun(rows, { key: 'id' }));
  expect(admitted.map(({ input }) => input)).toEqual(rows);
  expect(columns).toEqual(['id', 'tags', 'late']);
  expect([cardinality.rowIdentity, sourcePaths]).toEqual(['key', []]);
  expect(await admissionError(rowsRun([{ id: 1 }, [2]]))).toMatchObject({
    code: 'E_JSON_NOT_OBJECT',
    at: { line: 2 },
    message: expect.stringContaining('dataset.rows: line 2'),
  });
  expect(await admissionError(rowsRun([{ id: 9007199254740992 }]))).toMatchObject({ code: 'E_JSON_UNSAFE_NUMBER' });
});

test('an own __proto__ of an inline row stays a column', async () => {
  const { admitted, columns } = await admit(rowsRun([JSON.parse('{"__proto__":"x","id":"1"}')]));
  expect(columns).toEqual(['__proto__', 'id']);
  expect(JSON.stringify(admitted[0]!.input)).toBe('{"__proto__":"x","id":"1"}');
});

test('a row above the row limit is a row error with its size', async () => {
  const run = { ...(await csvRun(`id,v\n1,${'x'.repeat(500)}\n2,b\n`)), rowBytes: 400 };
  const error = await admissionError(run);
  expect(error).toMatchObject({ code: 'E_ROW_TOO_LARGE', scope: 'row', at: { line: 2 } });
  expect(error.message).toContain('at most 400');
  const rejecting = await admit({ ...run, dataset: { ...run.dataset, onBadRecord: 'reject' } });
  expect(rejecting.admitted.map(({ ordinal }) => ordinal)).toEqual([1]);
});

test('pages end before their bytes are over the limit', async () => {
  const run = await csvRun(`id\n${Array.from({ length: 50 }, (_, at) => `row-${at}`).join('\n')}\n`);
  const { pages } = await admit({ ...run, pageBytes: 600 });
  expect(pages.length).toBeGreaterThan(5);
  for (const rows of pages) expect(JSON.stringify(rows).length).toBeLessThanOrEqual(600);
});

test('rejects are kept with line, code and text, up to the number that is allowed', async () => {
  const run = await csvRun('a,b\n1\n2,3\n4,5,6\n', { onBadRecord: 'reject' });
  expect(await rejectsOf(await admit(run))).toEqual([
    expect.objectContaining({ line: 2, byteOffset: 4, ordinal: 0, code: 'E_ROW_WIDTH', raw: '1' }),
    expect.objectContaining({ line: 4, byteOffset: 10, ordinal: 2, code: 'E_ROW_WIDTH', raw: '4,5,6' }),
  ]);
  const strict = await admissionError({ ...run, dataset: { ...run.dataset, maxRejects: 1 } });
  expect(strict).toMatchObject({
    code: 'E_TOO_MANY_REJECTS',
    scope: 'file',
    message: expect.stringContaining('line 4'),
  });
  expect((await readdir(join(folder(), 'work'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('the spool is the decoded text under its digest, and nobody writes to it', async () => {
  const { spool } = await admit(await csvRun('\ufeffid\n1\n'));
  expect(spool.path).toBe(join(folder(), 'work', `${spool.sha256}.spool`));
  expect(await readFile(spool.path, 'utf8')).toBe('id\n1\n');
  expect((await stat(spool.path)).mode & 0o222).toBe(0);
});

test.each<[string, DatasetOptions, RegExp]>([
  ['two sources', { csv: 'a.csv', jsonl: 'b.jsonl' }, /names 2 sources/],
  ['no source', {}, /names 0 sources/],
  ['a key beside a position', { rows: [], key: 'id', rowIdentity: 'source_row' }, /not both/],
  ['a key column twice', { rows: [], key: ['id', 'id'] }, /each column once/],
  ['a delimiter of two characters', { csv: 'a.csv', delimiter: '::' }, /delimiter is "::"/],
])('%s is an error of the options', async (_name, dataset, message) => {
  const error = await admissionError({ folder: folder(), dataset });
  expect(error.code).toBe('E_OPTION');
  expect(error.message).toMatch(message);
});

test('a quote that is never closed is fatal where it opened, even when bad records are rejected', async () => {
  const open = await admissionError(await csvRun('a,b\n1,"x\n2,y\n', { onBadRecord: 'reject' }));
  expect(open).toMatchObject({ code: 'E_CSV_QUOTE_UNCLOSED', scope: 'file', at: { line: 2 } });
  const after = await admissionError(await csvRun('a,b\n1,"x\ny"z\n', { onBadRecord: 'reject' }));
  expect(after).toMatchObject({ code: 'E_CSV_TEXT_AFTER_QUOTE', scope: 'file', at: { line: 2 } });
});

test('a bad first row of a file without header is rejected like any other', async () => {
  const run = await csvRun('a"b,1\nx,2\n', { header: false, onBadRecord: 'reject' });
  const { admitted, columns } = await admit(run);
  expect(columns).toEqual(['column_1', 'column_2']);
  expect(admitted.map(({ ordinal }) => ordinal)).toEqual([1]);
});

test('warnings about keys name both lines and what to do', async () => {
  const { warnings } = await admit(await csvRun('id\nA1\na1\n1.23457E+15\n', { key: 'id' }));
  expect(warnings.find((text) => text.startsWith('W_KEY_CONFUSABLE'))).toContain('lines 2 and 3');
  expect(warnings.find((text) => text.startsWith('W_KEY_SCIENTIFIC'))).toContain('line 4: 1.23457E+15');
  const mixed = await admit(rowsRun([{ id: 1 }, { id: '2' }], { key: 'id' }));
  expect(warningCodes(mixed.warnings)).toContain('W_KEY_MIXED_TYPES');
});

test('many conflicts stay one warning with examples and a number', async () => {
  const lines = Array.from({ length: 100 }, (_, at) => `1,${at}`).join('\n');
  const { warnings } = await admit(await csvRun(`id,v\n${lines}\n`, { key: 'id' }));
  const conflict = warnings.filter((text) => text.startsWith('W_KEY_CONFLICT'));
  expect(conflict).toHaveLength(1);
  expect(conflict[0]).toContain('and 79 more');
});

test('a composite key keeps its parts apart', async () => {
  const { cardinality } = await admit(await csvRun('a,b\nx,yz\nxy,z\nx,yz\n', { key: ['a', 'b'] }));
  expect(cardinality).toMatchObject({ uniqueInputRows: 2, duplicateOccurrences: 1, conflicts: 0 });
});

test('the limit that was passed first is told: of a field, or of a record of many small fields', async () => {
  const limits = { maxFieldBytes: 10, maxRecordBytes: 30 };
  const wide = Array.from({ length: 10 }, () => 'abcd').join(',');
  const record = await admissionError(await csvRun(`a,b\n${wide}\n`, limits));
  expect(record).toMatchObject({ code: 'E_RECORD_TOO_LARGE', scope: 'file', at: { line: 2 } });
  const field = await admissionError(await csvRun(`a,b\n1,${'x'.repeat(40)}\n`, limits));
  expect(field).toMatchObject({ code: 'E_FIELD_TOO_LARGE', scope: 'file', at: { line: 2, field: 2 } });
});
