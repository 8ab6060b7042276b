// The RateLimit field: read as a whole or not at all.
import fc from 'fast-check';
import { parseRateLimitField } from '../../../activities/http/rate-limit-field';

test.each([
  ['"default";r=0;t=5', [{ left: 0, resetSeconds: '5' }]],
  ['default;r=10;t=5', [{ left: 10, resetSeconds: '5' }]],
  ['"a";r=0', [{ left: 0, resetSeconds: null }]],
  ['"a";t=5;r=0', [{ left: 0, resetSeconds: '5' }]],
  ['"a";r=0;t=5;pk=:YWJj:;q=100;x="a,b;r=1";on;b=?1', [{ left: 0, resetSeconds: '5' }]],
  ['"a, b";r=1;t=2', [{ left: 1, resetSeconds: '2' }]],
  [
    '"a";r=0;t=12, "b";r=0;t=36000',
    [
      { left: 0, resetSeconds: '12' },
      { left: 0, resetSeconds: '36000' },
    ],
  ],
  ['limit=100, remaining=0, reset=50', [{ left: 0, resetSeconds: '50' }]],
  ['limit=100;w=60, remaining=7, reset=50', [{ left: 7, resetSeconds: '50' }]],
])('%s', (text, expected) => {
  expect(parseRateLimitField(text)).toEqual(expected);
});

test.each([
  '',
  ' ',
  '"a',
  '"a";r',
  '"a";r=zero;t=5',
  '"a";r=0;t=',
  '"a";r=-1;t=5',
  '"a";r=0.5;t=5',
  '"a";r=0;t="5"',
  '"a";r=0;t=5 junk',
  '"a";r=0,',
  '"a";r=0;t=5, "b";r=x',
  'limit=100, remaining=none',
  '0',
  ';r=0',
])('%j is malformed and ignored', (text) => {
  expect(parseRateLimitField(text)).toEqual([]);
});

test('any text gives items with counts that are numbers, or none', () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^["a-z=;,0-9rt \\]{0,60}$/));
  fc.assert(
    fc.property(texts, (text) => {
      for (const { left, resetSeconds } of parseRateLimitField(text)) {
        expect(left === null || Number.isSafeInteger(left)).toBe(true);
        expect(resetSeconds === null || /^[0-9]+$/.test(resetSeconds)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
