// Seeded chance without state: the same parts always draw the same number, in whatever order requests arrive.

/** A number in [0, 1), evenly spread, decided by the parts alone (FNV-1a, then the finalizer of MurmurHash3). */
export function draw(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const character of parts.join('\u0000')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** One of the values, decided by the parts. */
export function drawOne<Value>(values: readonly [Value, ...Value[]], ...parts: readonly (string | number)[]): Value {
  return values[Math.floor(draw(...parts) * values.length)] ?? values[0];
}
