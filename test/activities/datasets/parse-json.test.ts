import fc from 'fast-check';
import { parse as parseLossless } from 'lossless-json';
import { DatasetError } from '../../../activities/datasets/dataset-error';
import { isExactNumber, plainDecimal } from '../../../activities/datasets/decimal';
import { parseJson } from '../../../activities/datasets/jsonl/parse-json';

const OPTIONS = { duplicateKeys: 'error', unsafeNumbers: 'error', loneSurrogates: 'error' } as const;
const read = (text: string) => parseJson(text, 1, OPTIONS);

function codeOf(text: string): string | null {
  try {
    read(text);
    return null;
  } catch (error) {
    if (error instanceof DatasetError) return error.code;
    throw error;
  }
}

test('every JSON value is read as JSON.parse and lossless-json read it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      fc.pre(codeOf(text) !== 'E_JSON_UNSAFE_NUMBER');
      const again = JSON.stringify(read(text));
      expect(again).toBe(JSON.stringify(JSON.parse(text)));
      expect(JSON.stringify(parseLossless(text, null, Number))).toBe(again);
    }),
    { numRuns: 300 },
  );
});

test('a damaged text is refused exactly where JSON.parse refuses it', () => {
  const pieces = fc.array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '1',
      '-',
      '.',
      'e',
      '0',
      'true',
      'nul',
      ' ',
      '\\',
      '\\u00',
      'a',
      '\t',
      '\u000b',
    ),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('');
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      expect([text, codeOf(text) !== 'E_JSON_PARSE']).toEqual([text, valid]);
    }),
    { numRuns: 1000 },
  );
});

test('a repeated name is refused even with equal values, which lossless-json lets pass', () => {
  expect(codeOf('{"id":1,"id":1}')).toBe('E_JSON_DUPLICATE_KEY');
  expect(codeOf('{"a":{"id":1},"b":{"id":1}}')).toBeNull();
});

test('128 levels are read, 129 are not', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect([codeOf(nested(128)), codeOf(nested(129))]).toEqual([null, 'E_JSON_DEPTH']);
});

test.each([
  ['0.1', true],
  ['1.10', true],
  ['-0', true],
  ['9007199254740992', true],
  ['9007199254740993', false],
  ['1e400', false],
  ['1e-400', false],
  ['0.1000000000000000055', false],
  ['1E21', true],
])('%s is held exactly: %s', (token, exact) => {
  expect(isExactNumber(token)).toBe(exact);
});

test('what a double writes is always exact', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const token = JSON.stringify(value);
      expect([token, isExactNumber(token)]).toEqual([token, true]);
    }),
  );
});

test('plain decimal has no exponent and the same value', () => {
  expect([1e21, -0, 1.5e-7, -12.25, 100].map(plainDecimal)).toEqual([
    '1000000000000000000000',
    '0',
    '0.00000015',
    '-12.25',
    '100',
  ]);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = plainDecimal(value);
      expect(text).toMatch(/^-?\d+(\.\d+)?$/);
      expect(Number(text)).toBe(value + 0);
    }),
  );
});
