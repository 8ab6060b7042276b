// Building blocks of both schemas: each says in its message what was expected and what was found.
import { z } from 'zod';
import { DURATION_PATTERN, type DurationBounds, durationProblem } from '../duration';
import { NAME_PATTERN } from '../ids';
import { JSON_DEPTH, SHOWN_CHARACTERS } from '../limits';
import type { Json } from '../outcomes';
import { didYouMean } from '../suggest';

/** A found value as messages show it: text and numbers as they are (cut at 60 characters), everything else by its kind. */
export function found(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'string') {
    return JSON.stringify(value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value);
  }
  return value !== null && typeof value === 'object' ? 'an object' : String(value);
}

/** The `error` option of a zod type. */
export interface Rule {
  error: (issue: { code?: string; input?: unknown }) => string | undefined;
}

/** Options of a zod type that answer `expected <what>, found <value>` to every refusal but unknown options, which `readBy` words. */
export const expected = (what: string): Rule => ({
  error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : `expected ${what}, found ${found(issue.input)}`),
});

const NAME_RULE = 'a name of up to 63 letters, digits, "_" or "-" that starts with a letter';

export const name = () => z.string(expected(NAME_RULE)).regex(NAME_PATTERN, expected(NAME_RULE));

const TOOL_RULE = 'a tool name such as acme.company';
const TOOL_NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_-]{0,62}\.[A-Za-z][A-Za-z0-9_-]{0,62}$/;

export const toolName = () => z.string(expected(TOOL_RULE)).regex(TOOL_NAME_PATTERN, expected(TOOL_RULE));

export const text = (what: string) => z.string(expected(what)).min(1, expected(what));

export const flag = () => z.boolean(expected('true or false'));

/** One of a few words. */
export function oneOf<const W extends readonly string[]>(...words: W) {
  const list = words.map((word) => JSON.stringify(word)).join(', ');
  return z.enum(words, {
    error: ({ input }) =>
      `expected one of ${list}, found ${found(input)}${typeof input === 'string' ? didYouMean(input, words) : ''}`,
  });
}

/** A whole number within closed bounds. */
export function wholeNumber(min: number, max: number) {
  const rule = expected(`a whole number from ${min} to ${max}`);
  return z.number(rule).int(rule).min(min, rule).max(max, rule);
}

/** A duration text within bounds; it stays text, `parseDuration` turns it into milliseconds where it is used. */
export function durationText(bounds: DurationBounds) {
  return z
    .string(expected('a duration such as 500ms, 5s, 2m, 24h or 7d'))
    .regex(DURATION_PATTERN, expected('a duration such as 500ms, 5s, 2m, 24h or 7d'))
    .refine((value) => !DURATION_PATTERN.test(value) || durationProblem(value, bounds) === null, {
      error: (issue) => `${durationProblem(String(issue.input), bounds)}, found ${found(issue.input)}`,
    });
}

/** Why `value` is not a JSON value of at most 128 levels; null when it is one. */
export function jsonProblem(value: unknown, depth = 0): string | null {
  if (depth > JSON_DEPTH) return `expected at most ${JSON_DEPTH} levels of lists and objects`;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : `expected a JSON value, found ${value}`;
  if (typeof value !== 'object') return `expected a JSON value, found ${found(value)}`;
  for (const member of Object.values(value)) {
    const problem = jsonProblem(member, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

/** Any JSON value; texts in it may be templates. */
export const jsonValue = () =>
  z.custom<Json>((value) => jsonProblem(value) === null, {
    error: (issue) => jsonProblem(issue.input) ?? 'expected a JSON value',
  });

/** JSON Schema keywords for "exactly one of these options", which editors understand; the rule itself is checked by hand. */
export const exactlyOne = (...names: string[]) => ({ oneOf: names.map((one) => ({ required: [one] })) });

/** Age of a shared answer, as columns and tools bound it. */
export const maxAgeSeconds = () =>
  wholeNumber(0, Number.MAX_SAFE_INTEGER).describe(
    'A shared answer that is older than this is bought anew; 0 = always, left out = any age will do.',
  );
