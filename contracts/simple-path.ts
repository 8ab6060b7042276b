// Reads plain references such as row.domain without JSONata, wherever the answer is certain to be the same.

// JSONata reads these as operators or values, not as names.
const WORDS = ['and', 'or', 'in', 'true', 'false', 'null', 'function'];
const PATH_PATTERN = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

/** The names of an expression that is nothing but names joined by dots; null for every other expression. */
export function simplePath(expression: string): string[] | null {
  const trimmed = expression.trim();
  if (!PATH_PATTERN.test(trimmed)) return null;
  const names = trimmed.split('.');
  return names.some((name) => WORDS.includes(name)) ? null : names;
}

export type PathAnswer = { found: true; value: unknown } | { found: false };

/**
 * The value at a path; undefined where JSONata finds nothing. `found: false` = a list lies in between, where JSONata maps and
 * flattens: ask it. A list at the end of the path is answered as it is.
 */
export function readSimplePath(path: readonly string[], scope: object): PathAnswer {
  let value: unknown = scope;
  for (const name of path) {
    if (Array.isArray(value)) return { found: false };
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name))
      return { found: true, value: undefined };
    value = (value as Record<string, unknown>)[name];
  }
  return { found: true, value };
}
