// Identities of rows: by key, or by position and content. At most 64 characters of [a-z0-9:_-], safe as a workflow id.
import { sha256Hex } from '../store/json-lines';

/** `k:` and 32 hex digits. Each text is hashed with its length, so ("a","bc") and ("ab","c") differ. */
export function keyIdentity(texts: readonly string[]): string {
  const parts = [Buffer.from('key1\0')];
  for (const text of texts) {
    const bytes = Buffer.from(text);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    parts.push(length, bytes);
  }
  return `k:${sha256Hex(Buffer.concat(parts)).slice(0, 32)}`;
}

/**
 * `p:`, the ordinal, and 32 hex digits of the content digest: a changed row at the same place is another row. `file`: name of the row's
 * file where the dataset has several, which then is part of the place.
 */
export function positionIdentity(ordinal: number, digest: string, file?: string): string {
  const place = file === undefined ? digest : sha256Hex(`file1\0${file}\0${digest}`);
  return `p:${ordinal}:${place.slice(0, 32)}`;
}
