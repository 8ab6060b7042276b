// Takes a secret out of a JSON value: only texts can hold one, names of properties included.
import type { Json } from '../contracts/outcomes';
import { redact } from './tools/redact';

export function redactJson(value: Json, secret: string): Json {
  if (typeof value === 'string') return redact(value, [secret]);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, secret));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redact(name, [secret]), redactJson(member, secret)]),
  );
}
