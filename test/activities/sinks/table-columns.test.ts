import { checkColumns, tableColumns } from '../../../activities/sinks/table-columns';

test('source columns, then results, then status and error', () => {
  expect(tableColumns(['2', '1'], ['size'], 'out_')).toEqual(['2', '1', 'out_size', '_status', '_error']);
});

test('columns that are all different are fine', () => {
  expect(checkColumns(['id', 'Size'], ['size'])).toEqual([]);
});

test.each([
  ['a result that is a source column', ['id', 'size', 'size_result'], ['size'], 'columns[0].name', '"size_result_2"'],
  ['a result named as every table has it', ['id'], ['_status'], 'columns[0].name', '"_status_result"'],
  ['a result that is there twice', ['id'], ['size', 'size'], 'columns[1].name', '"size_result"'],
  ['a source column named as every table has it', ['id', '_error'], ['size'], 'dataset', '"source_error"'],
])('%s is told with a name that is free', (_name, source, results, path, suggestion) => {
  const problems = checkColumns(source, results);
  expect(problems).toEqual([{ path, message: expect.stringContaining(suggestion) }]);
});
