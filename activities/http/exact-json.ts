// JSON of an answer without rounding: an id beyond 2^53 would become another one in a double.
import type { Json } from '../../contracts/outcomes';

/** Answers without so many digits in a row have no such number. */
const LONG_NUMBER = /\d{16}/;
/** A string, or a number; what stands between them needs no look. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const WHOLE = /^-?\d+$/;

/** The value, in which whole numbers that a double cannot hold are their digits as text. Throws a SyntaxError for what is no JSON. */
export function parseExactJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (!LONG_NUMBER.test(text)) return value;
  const exact = text.replace(TOKEN, (token) =>
    WHOLE.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
  return JSON.parse(exact) as Json;
}
