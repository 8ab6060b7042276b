// Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.

/** Bytes at the end that may be the start of a character, at most 3. */
export function incompleteTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

/** Index of the first byte of the first sequence that is not UTF-8, or -1. */
export function firstInvalid(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes[at]!);
    if (length === 0 || !isSequence(bytes, at, length)) return at;
    at += length;
  }
  return -1;
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

function isSequence(bytes: Buffer, at: number, length: number): boolean {
  for (let next = 1; next < length; next++) {
    const byte = bytes[at + next];
    if (byte === undefined || byte < 0x80 || byte > 0xbf) return false;
  }
  const lead = bytes[at]!;
  const second = bytes[at + 1]!;
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second <= 0x9f;
  if (lead === 0xf0) return second >= 0x90;
  return lead !== 0xf4 || second <= 0x8f;
}
