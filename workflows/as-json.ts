// What a row program hands over, as the JSON that history would make of it: a Date becomes text, undefined null.
import type { Json } from '../contracts/outcomes';

/** A copy that the program cannot change any more. Throws a TypeError for what JSON cannot say: a function, a bigint, a circle. */
export function asJson(value: unknown): Json {
  const text = JSON.stringify(value === undefined ? null : value);
  if (text === undefined) throw new TypeError(`expected a JSON value, got a ${typeof value}`);
  return JSON.parse(text) as Json;
}
