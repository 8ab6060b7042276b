import { cellReferences, tokens } from '../../contracts/expression-text';

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
  expect(cellReferences(expression)).toEqual(names);
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
  expect(cellReferences(expression)).toEqual([]);
});

test('where the context is another one, only $$.cells is a cell', () => {
  expect(cellReferences('row.items[cells.x = 1].(cells.y).{"z": cells.z}')).toEqual([]);
  expect(cellReferences('row.items[$$.cells.x = 1]')).toEqual(['x']);
});
