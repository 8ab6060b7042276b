// Turns what an expression gave into plain JSON. JSONata hangs hidden flags on its arrays; they must not reach results or digests.
import { JSON_DEPTH } from './limits';
import type { Json } from './outcomes';

/**
 * A plain copy: no hidden flags, no undefined members (null in lists), NaN and infinities as null, -0 as 0.
 * undefined stays undefined. Throws a TypeError for functions and more than 128 levels.
 */
export function plainJson(value: unknown, depth = 0): Json | undefined {
  if (value === undefined || value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== 'object' || '_jsonata_lambda' in value || '_jsonata_function' in value) {
    throw new TypeError(
      `expected a JSON value, found ${typeof value === 'object' ? 'a function' : `a ${typeof value}`}`,
    );
  }
  if (depth >= JSON_DEPTH) throw new TypeError(`expected at most ${JSON_DEPTH} levels of lists and objects`);
  if (Array.isArray(value)) return Array.from(value, (item) => plainJson(item, depth + 1) ?? null);
  const members = Object.entries(value).map(([name, member]) => [name, plainJson(member, depth + 1)] as const);
  return Object.fromEntries(members.filter((one): one is readonly [string, Json] => one[1] !== undefined));
}
