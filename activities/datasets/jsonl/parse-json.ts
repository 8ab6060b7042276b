// Strict JSON (RFC 8259) with what JSON.parse cannot give: columns of errors, repeated names, exact numbers, a depth limit.
// One parser instead of lossless-json plus passes around it: that accepts repeated names with equal values and overflows the stack before depth can be told.

import { JSON_DEPTH } from '../../../contracts/limits';
import type { Json } from '../../../contracts/outcomes';
import { DatasetError, type DatasetErrorCode } from '../dataset-error';
import { isExactNumber } from '../decimal';
import type { JsonOptions } from '../options';

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in strings
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const HEX = /[0-9a-fA-F]{4}/y;
const WORDS = new Map<string, { name: string; value: Json }>([
  ['t', { name: 'true', value: true }],
  ['f', { name: 'false', value: false }],
  ['n', { name: 'null', value: null }],
]);
const ESCAPES: { [letter: string]: string } = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/**
 * Parses one JSON text of line `line`. Objects have no prototype, so `__proto__` is an ordinary name.
 * Throws row errors E_JSON_*, with the column (characters from 1) in `at.column`.
 */
export function parseJson(text: string, line: number, options: Required<JsonOptions>): Json {
  let at = 0;

  const fail = (message: string, code: DatasetErrorCode = 'E_JSON_PARSE', place = at): never => {
    const column = place + 1;
    throw new DatasetError(code, 'row', `line ${line}, column ${column}: ${message}`, { line, column });
  };
  const match = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const skipSpace = (): void => {
    while (isSpace(text.charCodeAt(at))) at++;
  };
  const take = (character: string): boolean => {
    skipSpace();
    if (text[at] !== character) return false;
    at++;
    return true;
  };

  function value(depth: number): Json {
    skipSpace();
    const character = text[at];
    if (character === '{' || character === '[') {
      if (depth >= JSON_DEPTH) fail(`nested deeper than ${JSON_DEPTH} levels`, 'E_JSON_DEPTH');
      at++;
      return character === '{' ? object(depth + 1) : array(depth + 1);
    }
    if (character === '"') return string();
    const word = WORDS.get(character ?? '');
    if (!word || !text.startsWith(word.name, at)) return number();
    at += word.name.length;
    return word.value;
  }

  function object(depth: number): Json {
    const members: { [name: string]: Json } = Object.create(null);
    if (take('}')) return members;
    do {
      skipSpace();
      const start = at;
      if (text[at] !== '"') fail('property name expected');
      const name = string();
      if (options.duplicateKeys === 'error' && Object.hasOwn(members, name)) {
        fail(`property ${JSON.stringify(name)} appears twice`, 'E_JSON_DUPLICATE_KEY', start);
      }
      if (!take(':')) fail('":" expected after the property name');
      members[name] = value(depth);
    } while (take(','));
    if (!take('}')) fail('"," or "}" expected');
    return members;
  }

  function array(depth: number): Json {
    const items: Json[] = [];
    if (take(']')) return items;
    do items.push(value(depth));
    while (take(','));
    if (!take(']')) fail('"," or "]" expected');
    return items;
  }

  function string(): string {
    const start = at++;
    let result = match(PLAIN_TEXT);
    let escaped = false;
    while (text[at] !== '"') {
      if (at >= text.length) fail('unterminated string');
      if (text[at] !== '\\') fail('control character in a string; expected an escape such as \\t');
      at++;
      escaped = true;
      result += escapedCharacter() + match(PLAIN_TEXT);
    }
    at++;
    return escaped ? wellFormed(result, start) : result;
  }

  function escapedCharacter(): string {
    const letter = text[at++] ?? '';
    if (letter === 'u') {
      const hex = match(HEX);
      return hex === '' ? fail('four hex digits expected after \\u') : String.fromCharCode(Number.parseInt(hex, 16));
    }
    return ESCAPES[letter] ?? fail('unknown escape in a string', 'E_JSON_PARSE', at - 1);
  }

  /** Only escapes can make an unpaired half: the text itself was valid UTF-8. */
  function wellFormed(result: string, start: number): string {
    if (!/\p{Surrogate}/u.test(result)) return result;
    if (options.loneSurrogates === 'replace') return result.replace(/\p{Surrogate}/gu, '\ufffd');
    return fail("a string holds an unpaired surrogate; set loneSurrogates: 'replace'", 'E_JSON_LONE_SURROGATE', start);
  }

  function number(): Json {
    const start = at;
    const token = match(NUMBER);
    if (token === '') return fail('value expected');
    if (isExactNumber(token)) return Number(token) + 0;
    if (options.unsafeNumbers === 'string') return token;
    const shown = token.length > 40 ? `${token.slice(0, 40)}…` : token;
    return fail(
      `the number ${shown} cannot be held exactly; set unsafeNumbers: 'string'`,
      'E_JSON_UNSAFE_NUMBER',
      start,
    );
  }

  const result = value(0);
  skipSpace();
  return at < text.length ? fail('text after the value') : result;
}
