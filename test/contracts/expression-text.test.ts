import { memberReferences, tokens } from '../../contracts/expression-text';

test('the tokens of a text put together are the text', () => {
  const source = '$map(row.a[b = "x"], function($v){ $v ~> /a\\/[/]b/i }) /* end */ ?: `c d`.e ** 1.5e3 "open';
  expect([...tokens(source)].map(({ text }) => text).join('')).toBe(source);
});

test.each([
  ['cells.firm.employees > 100', ['firm']],
  ['$exists(cells.firm) and cells.size', ['firm', 'size']],
  ['{"a": cells.one, "b": [cells.two, cells.three]}', ['one', 'two', 'three']],
  ['cells . `my-col`', ['my-col']],
  ['cells.my-col', ['my']],
  ['(cells.a / 2) / cells.b', ['a', 'b']],
  ['cells.a ? cells.b : cells.c', ['a', 'b', 'c']],
])('%s reads cells %j', (expression, names) => {
  expect(memberReferences(expression, 'cells')).toEqual(names);
});

test.each([
  'row.cells.x',
  '"cells.x"',
  "'cells.x'",
  '/cells.x/',
  '/* cells.x */ 1',
  '$cells.x',
  'cells',
  'cells[0]',
  'cellsx.y',
  '`cells`.x',
])('%s reads no cell by name', (expression) => {
  expect(memberReferences(expression, 'cells')).toEqual([]);
});

test('where the context is another one, only $$.cells is a cell', () => {
  expect(memberReferences('row.items[cells.x = 1].(cells.y).{"z": cells.z}', 'cells')).toEqual([]);
  expect(memberReferences('row.items[$$.cells.x = 1]', 'cells')).toEqual(['x']);
});

test('columns of the row are found by the same rules', () => {
  expect(memberReferences('row.domain & cells.row.x & row.`first name`[row.y = 1]', 'row')).toEqual([
    'domain',
    'first name',
  ]);
});
