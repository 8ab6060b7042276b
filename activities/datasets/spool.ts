// Copies a source once into an immutable file: decompressed, UTF-8 to the last byte, no byte order mark, named by its sha256.
import { createHash, randomUUID } from 'node:crypto';
import { chmod, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_CHUNK_BYTES } from '../../contracts/limits';
import { makeFolder, syncFolder } from '../store/durable-file';
import { type ByteStream, inLargeChunks, peek, skipBytes, watchBytes } from './byte-stream';
import { DatasetError } from './dataset-error';
import type { Spool } from './dataset-reader';
import { decodeToUtf8 } from './encoding/decode';
import { DETECTION_BYTES, detectEncoding, isGzip, refuseBinaryFormats } from './encoding/detect';
import { gunzip } from './gunzip';
import type { ResolvedOptions } from './resolve-options';
import type { OpenSource } from './source-path';

/** A source as it is read: a file or the answer to a URL. */
export interface SpoolSource {
  name: string;
  /** Its length, null when nobody says it. */
  bytes: number | null;
  stream: ByteStream;
}

export interface SpoolRequest {
  source: SpoolSource;
  folder: string;
  options: ResolvedOptions;
  chunkBytes: number;
}

/** Spools a source; sizes are counted while it is read, whatever was declared. Warnings are `W_CODE: text`. */
export async function spoolSource({
  source,
  folder,
  options,
  chunkBytes,
}: SpoolRequest): Promise<Spool & { warnings: string[] }> {
  const checkSize = (bytes: number) => {
    if (bytes <= options.maxSourceBytes) return;
    const message = `${bytes} bytes exceed maxSourceBytes (${options.maxSourceBytes})`;
    throw new DatasetError('E_SOURCE_TOO_LARGE', 'file', message);
  };
  checkSize(source.bytes ?? 0);
  const warnings: string[] = [];
  const file = await peek(watchBytes(source.stream, checkSize), 2);
  const gzip = isGzip(file.head);
  if (!gzip && source.name.endsWith('.gz')) {
    warnings.push('W_NOT_COMPRESSED: the name ends with .gz but the content is not gzip; it was read as it is');
  }
  const plain = await peek(
    gzip ? gunzip(file.all, options.maxDecompressedBytes, chunkBytes) : file.all,
    DETECTION_BYTES,
  );
  refuseBinaryFormats(plain.head);
  const detected = detectEncoding(plain.head, options.encoding);
  if (detected.markBytes > 0) warnings.push(`W_BOM: a ${detected.encoding} byte order mark was removed`);
  const spool = await writeSpool(folder, decodeToUtf8(skipBytes(plain.all, detected.markBytes), detected));
  return { ...spool, warnings };
}

/** Writes a stream under its digest into `folder`; a crash leaves no file of that name. */
export async function writeSpool(folder: string, utf8: ByteStream): Promise<Spool> {
  await makeFolder(folder);
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    const file = await open(temporary, 'wx');
    try {
      for await (const chunk of inLargeChunks(utf8, FILE_CHUNK_BYTES)) {
        hash.update(chunk);
        bytes += chunk.length;
        await file.writeFile(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    const sha256 = hash.digest('hex');
    const path = join(folder, `${sha256}.spool`);
    await chmod(temporary, 0o444);
    await rename(temporary, path);
    await syncFolder(folder);
    return { path, sha256, bytes };
  } finally {
    await rm(temporary, { force: true });
  }
}

/** What a source may do after it was opened without harm to the dataset, as warnings. */
export async function compareWithSource(source: OpenSource): Promise<string[]> {
  const now = await stat(source.realPath).catch(() => null);
  if (now !== null && now.size > source.bytes) {
    return [
      `W_SOURCE_GREW: the file grew from ${source.bytes} to ${now.size} bytes; what was added belongs to the next map`,
    ];
  }
  if (now?.size === source.bytes && now.mtimeMs === source.modifiedMs) return [];
  return ['W_SOURCE_CHANGED: the file was changed or removed after it was copied; this map goes on with the copy'];
}

/** Reads exactly the bytes that the file had when it was opened. */
export async function* readOpenFile(source: OpenSource, chunkBytes: number): AsyncGenerator<Buffer> {
  let position = 0;
  while (position < source.bytes) {
    const length = Math.min(chunkBytes, source.bytes - position);
    const { buffer, bytesRead } = await source.handle.read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead === 0) {
      const message = `the file ended at ${position} of ${source.bytes} bytes while it was read`;
      throw new DatasetError('E_SOURCE_CHANGED', 'file', message);
    }
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
  const { size, mtimeMs } = await source.handle.stat();
  if (size === source.bytes && mtimeMs !== source.modifiedMs) {
    throw new DatasetError('E_SOURCE_CHANGED', 'file', 'the file was written to while it was read; start again');
  }
}
