import fc from 'fast-check';
import jsonata from 'jsonata';
import { plainJson } from '../../contracts/plain-json';
import { readSimplePath, simplePath } from '../../contracts/simple-path';

const NAMES = [
  'row',
  'cells',
  'a',
  'b',
  'constructor',
  'length',
  'toString',
  '__proto__',
  'and',
  'in',
  'null',
  'true',
  'sequence',
];

test.each([
  ['row.domain', ['row', 'domain']],
  [' row ', ['row']],
  ['cells.firm.employees_2', ['cells', 'firm', 'employees_2']],
])('%j is a plain reference', (expression, names) => {
  expect(simplePath(expression)).toEqual(names);
});

test.each([
  '',
  'row.',
  '.row',
  'row..x',
  'row.a-b',
  'row[0]',
  'row.a + 1',
  '$row.a',
  'row.`a b`',
  'row.*',
  '1',
  'true',
  'row.in',
  'not and',
  "'a'",
])('%j is left to JSONata', (expression) => {
  expect(simplePath(expression)).toBeNull();
});

test('wherever a plain reference is answered, JSONata gives the same', async () => {
  const name = fc.constantFrom(...NAMES);
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, 0, '', 'text', true, 1.5),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { minLength: 1, maxLength: 4 }),
      fc.dictionary(name, value),
      async (names, scope) => {
        const path = simplePath(names.join('.'));
        if (path === null) return;
        const answer = readSimplePath(path, scope);
        if (!answer.found) return;
        answered++;
        const expected = plainJson(await jsonata(path.join('.')).evaluate(scope));
        expect(plainJson(answer.value)).toEqual(expected);
      },
    ),
    { numRuns: 2000 },
  );
  expect(answered).toBeGreaterThan(500);
});

test('a list in between is left to JSONata, a list at the end is answered as it is', () => {
  expect(readSimplePath(['row', 'tags', 'name'], { row: { tags: [{ name: 'x' }] } })).toEqual({ found: false });
  expect(readSimplePath(['row', 'tags'], { row: { tags: ['x'] } })).toEqual({ found: true, value: ['x'] });
});

test('inherited properties are not there', () => {
  expect(readSimplePath(['row', 'constructor'], { row: {} })).toEqual({ found: true, value: undefined });
});
