// One record as bytes, before anything is parsed, and how readers of a spool get theirs.
import { createReadStream } from 'node:fs';
import type { ByteStream } from './byte-stream';
import { DatasetError } from './dataset-error';
import type { RecordCursor, Spool } from './dataset-reader';

export interface RawRecord {
  /** Without the row end. */
  bytes: Buffer;
  /** Where the record starts in the spool. */
  byteOffset: number;
  /** Line on which it starts, from 1. */
  line: number;
}

export const readSpool = (spool: Spool, byteOffset: number, chunkBytes: number): ByteStream =>
  createReadStream(spool.path, { start: byteOffset, highWaterMark: chunkBytes });

/** Refuses a cursor that was made on another spool or under another header. */
export function checkCursor(
  cursor: RecordCursor,
  spool: Spool,
  headerDigest: string,
  header: readonly string[] | null,
): void {
  if (cursor.spoolDigest === spool.sha256 && cursor.headerDigest === headerDigest) return;
  const columns = header === null ? '' : `; its header is now ${JSON.stringify(header)}`;
  const what = cursor.headerDigest === headerDigest ? 'content' : 'header';
  throw new DatasetError(
    'E_SOURCE_CHANGED',
    'file',
    `the source has another ${what} than the one that was being read${columns}`,
  );
}
