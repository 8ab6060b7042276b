import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTable } from '../../../activities/sinks/table-formats';
import { describeSink } from '../../conformance/sink';
import { useTemporaryFolder } from '../../helpers/temporary-folder';

const folder = useTemporaryFolder();

for (const format of ['csv', 'jsonl', 'lines', 'json'] as const) describeSink(format, folder);

test('a row that does not fit leaves no trace, and the table goes on', async () => {
  const path = join(folder(), 'out.csv');
  const table = await openTable({ format: 'csv', path, columns: ['id'], owner: 'run-1', overwrite: false });
  await table.write({ id: '1' });
  await expect(table.write({ id: '2', extra: 1 })).rejects.toMatchObject({
    code: 'E_OUTPUT_COLUMN_UNKNOWN',
    scope: 'row',
  });
  await table.write({ id: '3' });
  await table.finish();
  expect(await readFile(path, 'utf8')).toBe('id\r\n1\r\n3\r\n');
});

test.each([
  ['csv', 'id,rest\r\n1,"{""a"":1,""b"":2}"\r\n2,\r\n'],
  ['jsonl', '{"id":"1","rest":{"a":1,"b":2}}\n{"id":"2"}\n'],
] as const)('%s: unknown properties are collected in the extra column', async (format, text) => {
  const path = join(folder(), 'out');
  const options = { extraColumn: 'rest' };
  const table = await openTable({ format, path, columns: ['id', 'rest'], owner: 'run-1', overwrite: false, options });
  await table.write({ id: '1', a: 1, b: 2 });
  await table.write({ id: '2' });
  await table.finish();
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('JSON Lines keep the order of the columns, integer-like names included', async () => {
  const path = join(folder(), 'out.jsonl');
  const table = await openTable({ format: 'jsonl', path, columns: ['b', '2', '1'], owner: 'run-1', overwrite: false });
  await table.write({ 1: 'x', 2: null, b: true });
  await table.finish();
  expect(await readFile(path, 'utf8')).toBe('{"b":true,"2":null,"1":"x"}\n');
});
