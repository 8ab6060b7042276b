// Small tools for streams of bytes.

export type ByteStream = AsyncIterable<Buffer>;

/** Looks at the first bytes (fewer when the stream is shorter). `all` gives every chunk as it came, the head included. */
export async function peek(stream: ByteStream, bytes: number): Promise<{ head: Buffer; all: ByteStream }> {
  const iterator = stream[Symbol.asyncIterator]();
  const seen: Buffer[] = [];
  let length = 0;
  while (length < bytes) {
    const next = await iterator.next();
    if (next.done) break;
    seen.push(next.value);
    length += next.value.length;
  }
  async function* all() {
    try {
      yield* seen;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { head: Buffer.concat(seen).subarray(0, bytes), all: all() };
}

/** The stream without its first bytes. */
export async function* skipBytes(stream: ByteStream, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of stream) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/** Calls `check` with the bytes so far before each chunk is passed on: it throws when they are too many. */
export async function* watchBytes(stream: ByteStream, check: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    check(bytes);
    yield chunk;
  }
}

/** The same bytes in chunks of at least `bytes`, the last one excepted: rows that were made one by one are not written one by one. */
export async function* inLargeChunks(stream: ByteStream, bytes: number): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < bytes) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
