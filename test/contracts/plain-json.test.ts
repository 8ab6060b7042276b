import jsonata from 'jsonata';
import { plainJson } from '../../contracts/plain-json';

test('the hidden flags of JSONata lists are gone', async () => {
  const sequence = (await jsonata('a.b').evaluate({ a: [{ b: 1 }, { b: 2 }] })) as unknown[];
  expect(Object.getOwnPropertyNames(sequence)).toContain('sequence');
  const plain = plainJson(sequence);
  expect(Object.getOwnPropertyNames(plain)).toEqual(['0', '1', 'length']);
  expect(plain).toEqual([1, 2]);
});

test('numbers that JSON cannot say are null, and there is one zero', () => {
  expect(plainJson([Number.NaN, Number.POSITIVE_INFINITY, 1.5])).toEqual([null, null, 1.5]);
  expect(Object.is(plainJson(-0), 0)).toBe(true);
});

test('undefined is dropped from objects and null in lists, also in holes', () => {
  // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
  expect(plainJson({ a: undefined, b: [undefined, , 1] })).toEqual({ b: [null, null, 1] });
  expect(plainJson(undefined)).toBeUndefined();
});

test('a property named __proto__ stays an ordinary one', () => {
  const plain = plainJson(JSON.parse('{"__proto__": {"a": 1}}')) as object;
  expect(Object.keys(plain)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
});

test.each(['$sum', 'function($x){ $x }', '[$sum]', '{"f": $map}'])('a function is refused: %s', async (expression) => {
  const value = await jsonata(expression).evaluate({});
  expect(() => plainJson(value)).toThrow('expected a JSON value, found a function');
});

test('more than 128 levels are refused instead of overflowing the stack', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 128; level++) deep = [deep];
  expect(plainJson(deep)).toEqual(deep);
  expect(() => plainJson([deep])).toThrow('expected at most 128 levels');
});
