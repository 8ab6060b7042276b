// Undoes gzip, deflate and br with a limit on what comes out: a small bomb must not fill the memory.
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** `complete`: the encoded data came to its end. `overflow`: there is more than the limit, and `body` is the part up to it. */
export interface DecodedBody {
  body: Buffer;
  complete: boolean;
  overflow: boolean;
}

/** Encodings beyond this many are not undone: nobody sends them but an attacker. */
const MAX_ENCODINGS = 2;

/**
 * Decodes `encoded` as the Content-Encoding lines say, the last one first. Unknown encodings are left as they are.
 * Rejects when the data is not what its encoding says; data that merely ends early gives what there is.
 */
export async function decodeBody(
  encoded: Buffer,
  contentEncoding: readonly string[],
  limitBytes: number,
): Promise<DecodedBody> {
  const encodings = contentEncoding
    .flatMap((line) => line.split(','))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  let decoded: DecodedBody = { body: encoded, complete: true, overflow: false };
  if (encoded.length === 0 || encodings.length > MAX_ENCODINGS) return decoded;
  for (const encoding of encodings.reverse()) {
    const decoder = createDecoder(encoding, decoded.body);
    if (decoder === null) return decoded;
    const next = await runDecoder(decoder, decoded.body, limitBytes);
    decoded = { ...next, complete: decoded.complete && next.complete, overflow: decoded.overflow || next.overflow };
  }
  return decoded;
}

function createDecoder(encoding: string, data: Buffer): Transform | null {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding !== 'deflate') return null;
  // "deflate" is the zlib format, but some servers send it bare: only zlib's first byte has 8 in its low half.
  return ((data[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

async function runDecoder(decoder: Transform, data: Buffer, limitBytes: number): Promise<DecodedBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  decoder.end(data);
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      const room = limitBytes - bytes;
      chunks.push(chunk.subarray(0, room));
      bytes += chunk.length;
      if (chunk.length > room) return { body: Buffer.concat(chunks), complete: false, overflow: true };
    }
  } catch (error) {
    if (!endsEarly(error)) throw error;
    return { body: Buffer.concat(chunks), complete: false, overflow: false };
  }
  return { body: Buffer.concat(chunks), complete: true, overflow: false };
}

const endsEarly = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
