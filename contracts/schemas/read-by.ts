// Reads a raw value by a zod schema and by hand-written rules, and lists every problem of both by path.
import type { z } from 'zod';
import type { Problem } from '../failures';
import { didYouMean } from '../suggest';
import { found } from './words';

/** A document or a part of one before it was checked. */
export type Raw = { [name: string]: unknown };

export const isObject = (value: unknown): value is Raw =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** One problem with its path still in parts, so that a loader can find the line. */
export interface LocatedProblem {
  at: readonly PropertyKey[];
  message: string;
}

export type Reading<T> = { ok: true; value: T } | { ok: false; problems: Problem[]; located: LocatedProblem[] };

/** `['columns', 2, 'input']` as `columns[2].input`; the whole document is `(document)`. */
export function formatPath(at: readonly PropertyKey[]): string {
  if (at.length === 0) return '(document)';
  return at.reduce<string>((path, part) => {
    if (typeof part === 'number') return `${path}[${part}]`;
    const plain = /^[A-Za-z_][\w-]*$/.test(String(part));
    if (!plain) return `${path}[${JSON.stringify(String(part))}]`;
    return path === '' ? String(part) : `${path}.${String(part)}`;
  }, '');
}

/**
 * The value by the schema, or every problem: those of the schema first, then those of the rules, each path and message once.
 * The rules get the raw value, whatever its form: a wrong type in one place must not hide a problem in another.
 */
export function readBy<S extends z.ZodType>(
  schema: S,
  raw: unknown,
  rules: (raw: unknown) => LocatedProblem[],
): Reading<z.output<S>> {
  const optionsAt = new Map<string, string[]>();
  const result = schema.safeParse(raw, {
    // An unknown option's issue has no list of the known ones, but the schema that raised it has.
    error: (issue) => {
      const shape = (issue.inst?._zod.def as { shape?: object } | undefined)?.shape;
      if (issue.code === 'unrecognized_keys' && shape) optionsAt.set(formatPath(issue.path ?? []), Object.keys(shape));
      return undefined;
    },
  });
  const fromSchema = result.success ? [] : result.error.issues.flatMap((issue) => locate(issue, raw, optionsAt));
  const located = unique([...fromSchema, ...rules(raw)]);
  if (result.success && located.length === 0) return { ok: true, value: result.data };
  return { ok: false, located, problems: located.map(({ at, message }) => ({ path: formatPath(at), message })) };
}

function locate(issue: z.core.$ZodIssue, raw: unknown, optionsAt: Map<string, string[]>): LocatedProblem[] {
  if (issue.code !== 'unrecognized_keys') {
    const missing = valueAt(raw, issue.path) === undefined;
    const said = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
    const message = missing ? said.replace(/, found nothing$/, ', but it is missing') : said;
    return [{ at: issue.path, message }];
  }
  const known = optionsAt.get(formatPath(issue.path)) ?? [];
  return issue.keys.map((key) => ({
    at: [...issue.path, key],
    message: `unknown option ${found(key)}${didYouMean(key, known)}; known here: ${known.join(', ')}`,
  }));
}

function unique(problems: LocatedProblem[]): LocatedProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ at, message }) => {
    const id = `${formatPath(at)}: ${message}`;
    return !seen.has(id) && seen.add(id);
  });
}

/** The value at a path of a raw document, undefined where the path ends early. */
function valueAt(raw: unknown, at: readonly PropertyKey[]): unknown {
  return at.reduce<unknown>(
    (value, part) =>
      value !== null && typeof value === 'object' ? (value as Record<PropertyKey, unknown>)[part] : undefined,
    raw,
  );
}
