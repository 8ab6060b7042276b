// JSON Lines as the store writes and reads them: one value a line, every line ended.
import { hash } from 'node:crypto';

/** sha256 as 64 lower-case hex digits. */
export const sha256Hex = (bytes: Uint8Array | string): string => hash('sha256', bytes, 'hex');

/** One JSON text a line; the bytes depend on the values alone, so a retry writes equal ones. */
export const toJsonLines = (values: readonly unknown[]): Buffer =>
  Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));

/** Bytes as they are, values as JSON Lines. */
export const linesOf = (values: readonly unknown[] | Uint8Array): Buffer =>
  values instanceof Uint8Array ? Buffer.from(values.buffer, values.byteOffset, values.length) : toJsonLines(values);

/** Lines of a text that ends with a line feed. */
export function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === 0x0a) lines++;
  return lines;
}

/** The values of a JSON Lines text, whose form the writer of the file answers for. */
export const parseJsonLines = <Value>(bytes: Buffer): Value[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Value);
