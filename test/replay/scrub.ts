// Takes out of a history what tells of the machine that recorded it: who worked, with which build, where files lay, stack traces.

/** Texts to replace, in this order, everywhere: also inside of payloads. */
export type Replacements = readonly (readonly [found: string, replacement: string])[];

/** A build id of its own for each state of the sources: long, and of no use to a replay. */
const DROPPED = new Set(['workerVersion']);
const SAID_OTHERWISE: { [name: string]: string } = { identity: 'recorder', stackTrace: '' };

const isRecord = (value: unknown): value is { [name: string]: unknown } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const replaced = (text: string, replacements: Replacements): string =>
  replacements.reduce((result, [found, replacement]) => result.replaceAll(found, replacement), text);

/** A payload is `{ metadata: { encoding }, data }`, its data base64 of JSON text. */
const isPayload = (value: { [name: string]: unknown }): value is { metadata: unknown; data: string } =>
  isRecord(value.metadata) && typeof value.data === 'string';

const fromBase64 = (data: string): string => Buffer.from(data, 'base64').toString('utf8');

/** A copy of a history in proto JSON. Replay compares steps and ids, none of which is touched. */
export function scrub(history: unknown, replacements: Replacements): unknown {
  if (typeof history === 'string') return replaced(history, replacements);
  if (Array.isArray(history)) return history.map((one) => scrub(one, replacements));
  if (!isRecord(history)) return history;
  if (isPayload(history)) {
    return { ...history, data: Buffer.from(replaced(fromBase64(history.data), replacements)).toString('base64') };
  }
  const entries = Object.entries(history).filter(([name]) => !DROPPED.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, SAID_OTHERWISE[name] ?? scrub(value, replacements)]));
}

/** Every text of a history, payloads decoded: what a search for secrets and paths has to look through. */
export function textsOf(history: unknown): string[] {
  if (typeof history === 'string') return [history];
  if (Array.isArray(history)) return history.flatMap(textsOf);
  if (!isRecord(history)) return [];
  return isPayload(history) ? [fromBase64(history.data)] : Object.values(history).flatMap(textsOf);
}
