// JSON of an answer without rounding: an id beyond 2^53 would become another one in a double.
import type { Json } from '../../contracts/outcomes';

/** Answers without so many digits in a row, or in an exponent, have no such number. */
const LONG_NUMBER = /\d{16}|[eE]\+?\d{3}/;
/** A string, or a number; what stands between them needs no look. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const WHOLE = /^-?\d+$/;
const NUMBER = /^[-\d]/;

/** One that a double would make another id, or infinite, which JSON has no word for: it would become null. */
const isBeyond = (token: string): boolean =>
  NUMBER.test(token) && (WHOLE.test(token) ? !Number.isSafeInteger(Number(token)) : !Number.isFinite(Number(token)));

/** The value, in which numbers that a double cannot hold, whole ones and those that are too large, are their text. Throws a SyntaxError for what is no JSON. */
export function parseExactJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (!LONG_NUMBER.test(text)) return value;
  const exact = text.replace(TOKEN, (token) => (isBeyond(token) ? `"${token}"` : token));
  return JSON.parse(exact) as Json;
}
