import fc from 'fast-check';
import { normalizeResult } from '../../contracts/result-json';

test('plain JSON comes through as it is, and a second pass changes nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { json, nulled } = normalizeResult(value);
      expect(nulled).toBe(0);
      expect(JSON.stringify(json)).toBe(JSON.stringify(value));
      expect(JSON.stringify(normalizeResult(json).json)).toBe(JSON.stringify(json));
    }),
  );
});

test('any value becomes JSON or a ResultError, and never anything between', () => {
  const value = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withTypedArray: true,
    withSparseArray: true,
  });
  fc.assert(
    fc.property(value, (one) => {
      try {
        const { json } = normalizeResult(one);
        expect(JSON.stringify(JSON.parse(JSON.stringify(json)))).toBe(JSON.stringify(json));
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^E_RESULT_/), path: expect.stringMatching(/^\$/) });
      }
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['a Set', { a: new Set([1]) }, '$.a'],
  ['a RegExp', [/x/], '$[0]'],
  ['a Promise', { 'odd name': Promise.resolve() }, '$["odd name"]'],
])('%s is refused with its place', (_name, value, path) => {
  expect(() => normalizeResult(value)).toThrow(expect.objectContaining({ code: 'E_RESULT_TYPE', path }));
});

test('one object in two places is no circle', () => {
  const shared = { x: 1 };
  expect(JSON.stringify(normalizeResult([shared, shared]).json)).toBe('[{"x":1},{"x":1}]');
});

test('nonFinite: error names the place', () => {
  const failing = () => normalizeResult({ a: Number.NaN }, { nonFinite: 'error' });
  expect(failing).toThrow(expect.objectContaining({ code: 'E_RESULT_NOT_JSON', path: '$.a' }));
});

test('an Error keeps its name and message, a URL its text', () => {
  const { json } = normalizeResult({ error: new TypeError('bad'), url: new URL('https://a.example/x') });
  expect(JSON.stringify(json)).toBe('{"error":{"name":"TypeError","message":"bad"},"url":"https://a.example/x"}');
});
