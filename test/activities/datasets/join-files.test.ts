// Several files as one dataset: order, identities, errors and warnings with the file they belong to.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetOptions } from '../../../activities/datasets/options';
import { acceptedRows, admissionError, admit, sourceFile, warningCodes } from '../../helpers/dataset-harness';
import { useTemporaryFolder } from '../../helpers/temporary-folder';

const folder = useTemporaryFolder();

async function runOf(files: { [name: string]: string }, options: Omit<DatasetOptions, 'csv'> = {}, base = folder()) {
  await mkdir(base, { recursive: true });
  const names = await Promise.all(Object.entries(files).map(([name, content]) => sourceFile(base, name, content)));
  return { folder: base, dataset: { csv: names, ...options } };
}

test('files come in bytewise order of their paths, and their columns by name', async () => {
  const run = await runOf({ 'b.csv': 'v,id\nx,2\n', 'B.csv': 'id,v\n1,y\n' });
  const { admitted, columns } = await admit(run);
  expect(columns).toEqual(['id', 'v']);
  expect(admitted.map(({ input, ordinal, line }) => [input.id, input.v, ordinal, line])).toEqual([
    ['1', 'y', 0, 2],
    ['2', 'x', 1, 2],
  ]);
});

test('a file that grows or comes before the others changes no identity of theirs, wherever their folder lies', async () => {
  const identities = async (files: { [name: string]: string }, base: string) => {
    const { dataset, folder: baseDir } = await runOf(files, {}, join(folder(), base));
    const csv = [dataset.csv].flat().map((name) => join(baseDir, name));
    const { admitted } = await admit({ folder: baseDir, dataset: { csv } });
    return new Map(admitted.map(({ identity, input }) => [input.id, identity]));
  };
  const first = await identities({ 'b.csv': 'id\n1\n2\n', 'c.csv': 'id\n3\n' }, 'here');
  const later = await identities({ 'a.csv': 'id\n9\n', 'b.csv': 'id\n1\n2\n8\n', 'c.csv': 'id\n3\n' }, 'there');
  for (const [id, identity] of first) expect(later.get(id)).toBe(identity);
});

test('the last of equal keys wins over files, and reading goes on from any record', async () => {
  const run = await runOf(
    { 'a.csv': 'id,v\n1,old\n2,b\n', 'b.csv': 'id,v\n3,c\n1,new\n' },
    { key: 'id', onDuplicateKey: 'last' },
  );
  const { admitted } = await admit(run);
  expect(admitted.map(({ input, ordinal }) => [input.id, input.v, ordinal])).toEqual([
    ['1', 'new', 0],
    ['2', 'b', 1],
    ['3', 'c', 2],
  ]);
  const all = await acceptedRows(run);
  for (const [at, { cursor }] of all.entries()) expect(await acceptedRows(run, cursor)).toEqual(all.slice(at));
});

test('errors and warnings name their file', async () => {
  const bad = await admissionError(await runOf({ 'a.csv': 'id\n1\n', 'b.csv': 'id\n"1\n' }));
  expect(bad).toMatchObject({ code: 'E_CSV_QUOTE_UNCLOSED', at: { source: 'b.csv', line: 2 } });
  const row = await admissionError(await runOf({ 'a.csv': 'id\n1\n', 'b.csv': 'id\n1,2\n' }));
  expect(row).toMatchObject({ code: 'E_ROW_WIDTH', at: { source: 'b.csv' } });
  const { warnings } = await admit(await runOf({ 'a.csv': 'id\n1\n', 'b.csv': '\ufeffid\n2\n' }));
  expect(warningCodes(warnings)).toEqual(['W_BOM']);
  expect(warnings[0]).toMatch(/^W_BOM: b\.csv: /);
});

test('duplicates, keys that look alike and records that were set aside are told with their file', async () => {
  const files = { 'a.csv': 'id,v\n1,x\nb,y\n', 'b.csv': 'id,v\n\n1,z\nB,y\n1,x\n1,2,3\n' };
  const { warnings, repeats } = await admit(await runOf(files, { key: 'id', onBadRecord: 'reject' }));
  expect(warnings).toEqual([
    expect.stringMatching(/^W_KEY_CONFUSABLE: .*: line 3 of a\.csv and line 4 of b\.csv \("B"\)$/),
    expect.stringMatching(/^W_KEY_CONFLICT: .*: line 3 of b\.csv \(first at line 2 of a\.csv\)$/),
    expect.stringMatching(
      /^W_REJECTED: 1 record was set aside; \/.*rejects\.jsonl says why: line 6 of b\.csv E_ROW_WIDTH$/,
    ),
  ]);
  expect(repeats).toEqual([
    { line: 3, file: 'b.csv', first: { line: 2, file: 'a.csv' }, differs: true },
    { line: 5, file: 'b.csv', first: { line: 2, file: 'a.csv' }, differs: false },
  ]);
  const [reject] = (await readFile(join(folder(), 'work', 'rejects.jsonl'), 'utf8')).trimEnd().split('\n');
  expect(JSON.parse(reject!)).toMatchObject({ file: 'b.csv', line: 6, code: 'E_ROW_WIDTH' });
  const refused = await admissionError(
    await runOf({ 'a.csv': 'id\n1\n', 'b.csv': 'id\n2\n1\n' }, { key: 'id', onDuplicateKey: 'error' }),
  );
  expect(refused.message).toContain('line 2 of a.csv and line 3 of b.csv have the same key');
});

test('files with other columns, and one that is named twice, are refused', async () => {
  const other = await admissionError(await runOf({ 'a.csv': 'id,v\n1,x\n', 'b.csv': 'id\n2\n' }));
  expect(other).toMatchObject({
    code: 'E_HEADER_DIFFERS',
    message: expect.stringMatching(/a\.csv has \["id","v"\], b\.csv has \["id"\]/),
  });
  const { dataset, folder: base } = await runOf({ 'a.csv': 'id\n1\n' });
  const twice = await admissionError({ folder: base, dataset: { csv: [...dataset.csv, ...dataset.csv] } });
  expect(twice).toMatchObject({ code: 'E_OPTION', message: expect.stringContaining('a.csv is named twice') });
});

test('JSON Lines files may have columns of their own', async () => {
  const { dataset, folder: base } = await runOf({ 'a.jsonl': '{"id":1}\n', 'b.jsonl': '{"id":2,"v":3}\n' });
  const { admitted, columns } = await admit({ folder: base, dataset: { jsonl: dataset.csv } });
  expect([columns, admitted.length]).toEqual([['id', 'v'], 2]);
});
