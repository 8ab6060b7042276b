import fc from 'fast-check';
import { parseExactJson } from '../../../activities/http/exact-json';

test.each([
  ['{"id":9007199254740993}', { id: '9007199254740993' }],
  ['{"id":-9007199254740993,"other":9007199254740991}', { id: '-9007199254740993', other: 9007199254740991 }],
  ['[12345678901234567890, 1.5, 1e3, 0.1234567890123456]', ['12345678901234567890', 1.5, 1000, 0.1234567890123456]],
  [
    '{"text":"id 9007199254740993","quoted\\"9007199254740993":1}',
    { text: 'id 9007199254740993', 'quoted"9007199254740993': 1 },
  ],
  ['9007199254740993', '9007199254740993'],
  ['{"n":1e400,"low":-2.5E+999,"small":1e-400,"high":1e300}', { n: '1e400', low: '-2.5E+999', small: 0, high: 1e300 }],
])('%s', (text, value) => {
  expect(parseExactJson(text)).toEqual(value);
});

test('everything else is what JSON.parse makes of it', () => {
  const long = fc.constantFrom('1234567890123456', '\\"9007199254740993\\', 'é😀');
  const values = [fc.integer(), fc.double({ min: 0, max: 1 }), fc.string(), fc.boolean(), fc.constant(null)];
  fc.assert(
    fc.property(fc.anything({ values, maxDepth: 3 }), long, (value, text) => {
      const json = JSON.stringify({ [text]: value, text });
      expect(parseExactJson(json)).toEqual(JSON.parse(json));
    }),
  );
  expect(() => parseExactJson('{"id":9007199254740993')).toThrow(SyntaxError);
});

test('an answer of many megabytes of text is no trouble', () => {
  const text = `"${'\\"x1234567890123456'.repeat(400_000)}"`;
  expect((parseExactJson(text) as string).length).toBe(400_000 * 18);
});
