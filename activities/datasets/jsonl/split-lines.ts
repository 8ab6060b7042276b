// Cuts a stream into lines at line feeds alone: never at U+2028 or a bare CR, as readline does.
import type { ByteStream } from '../byte-stream';
import { DatasetError } from '../dataset-error';
import type { RawRecord } from '../raw-record';

/** Every line without its row end; one trailing CR belongs to the row end. Throws E_RECORD_TOO_LARGE while scanning. */
export async function* splitLines(
  stream: ByteStream,
  start: { byteOffset: number; line: number },
  maxRecordBytes: number,
): AsyncGenerator<RawRecord> {
  let { byteOffset, line } = start;
  let pending: Buffer[] = [];
  let length = 0;

  const grow = (part: Buffer): void => {
    pending.push(part);
    length += part.length;
    if (length <= maxRecordBytes) return;
    const message = `the record at line ${line} is larger than maxRecordBytes (${maxRecordBytes})`;
    throw new DatasetError('E_RECORD_TOO_LARGE', 'file', message, { line, byte: byteOffset });
  };
  const finish = (): RawRecord => {
    const bytes = pending.length === 1 ? pending[0]! : Buffer.concat(pending);
    const record = { bytes: bytes.at(-1) === 0x0d ? bytes.subarray(0, -1) : bytes, byteOffset, line };
    byteOffset += length + 1;
    line++;
    pending = [];
    length = 0;
    return record;
  };

  for await (const chunk of stream) {
    let from = 0;
    for (let feed = chunk.indexOf(0x0a); feed >= 0; feed = chunk.indexOf(0x0a, from)) {
      grow(chunk.subarray(from, feed));
      yield finish();
      from = feed + 1;
    }
    if (from < chunk.length) grow(chunk.subarray(from));
  }
  if (length > 0) yield finish();
}
