// Decompresses gzip while it counts: a bomb is stopped before it fills the disk.
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DECOMPRESSION_RATIO_FROM_BYTES, MAX_DECOMPRESSION_RATIO } from '../../contracts/limits';
import { type ByteStream, watchBytes } from './byte-stream';
import { DatasetError } from './dataset-error';

/** All members of a gzip stream. Damage is E_SOURCE_CORRUPT, too much is E_SOURCE_TOO_LARGE; zlib's maxOutputLength does not work on streams. */
export async function* gunzip(
  stream: ByteStream,
  maxDecompressedBytes: number,
  chunkBytes: number,
): AsyncGenerator<Buffer> {
  let compressed = 0;
  const counted = watchBytes(stream, (bytes) => {
    compressed = bytes;
  });
  const inflate = createGunzip({ chunkSize: Math.max(64, chunkBytes) });
  // The callback only keeps errors from going unhandled: they surface in the loop below.
  pipeline(Readable.from(counted), inflate, () => undefined);
  try {
    yield* watchBytes(inflate, (bytes) => checkSize(bytes, compressed, maxDecompressedBytes));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('Z_')) throw error;
    throw new DatasetError('E_SOURCE_CORRUPT', 'file', `gzip: ${message}`, {}, { cause: error });
  } finally {
    inflate.destroy();
  }
}

function checkSize(bytes: number, compressed: number, limit: number): void {
  if (bytes > limit) {
    throw new DatasetError('E_SOURCE_TOO_LARGE', 'file', `decompressed size exceeds maxDecompressedBytes (${limit})`);
  }
  if (bytes > DECOMPRESSION_RATIO_FROM_BYTES && bytes > compressed * MAX_DECOMPRESSION_RATIO) {
    const ratio = `${bytes} bytes out of ${compressed} compressed ones`;
    throw new DatasetError(
      'E_SOURCE_TOO_LARGE',
      'file',
      `${ratio}: more than ${MAX_DECOMPRESSION_RATIO} times as much`,
    );
  }
}
