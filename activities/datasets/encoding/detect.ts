// Which encoding and format the first bytes show: marks only, never statistics.
import { DatasetError } from '../dataset-error';
import type { SourceEncoding } from '../options';

/** Bytes that are looked at. */
export const DETECTION_BYTES = 4096;

const MARKS = [
  // UTF-32LE starts with the mark of UTF-16LE, so it comes first.
  { mark: [0xff, 0xfe, 0x00, 0x00], encoding: 'utf-32le' },
  { mark: [0x00, 0x00, 0xfe, 0xff], encoding: 'utf-32be' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
] as const;

const FORMATS = [
  { magic: [0x50, 0x4b, 0x03, 0x04], name: 'a zip archive (xlsx, ods and docx files are zip archives too)' },
  { magic: [0x50, 0x4b, 0x05, 0x06], name: 'an empty zip archive' },
  { magic: [0x50, 0x41, 0x52, 0x31], name: 'a Parquet file' },
  { magic: [0xd0, 0xcf, 0x11, 0xe0], name: 'an old Excel or Office file' },
  { magic: [0x28, 0xb5, 0x2f, 0xfd], name: 'compressed with zstd' },
  { magic: [0x1f, 0x8b], name: 'gzip inside gzip' },
] as const;

const startsWith = (head: Buffer, bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte);

export const isGzip = (head: Buffer): boolean => startsWith(head, [0x1f, 0x8b]);

/** Refuses files that are not text, by name of their format. */
export function refuseBinaryFormats(head: Buffer): void {
  const format = FORMATS.find(({ magic }) => startsWith(head, magic));
  if (format) {
    throw new DatasetError(
      'E_SOURCE_FORMAT',
      'file',
      `this is ${format.name}; expected CSV or JSON Lines text, plain or gzip`,
    );
  }
}

export interface DetectedEncoding {
  encoding: Exclude<SourceEncoding, 'auto'>;
  /** Length of the byte order mark; 0 without one. */
  markBytes: number;
}

/** The mark decides, then the option, then strict UTF-8. A mark against the option, UTF-32, or UTF-16 without mark is an error. */
export function detectEncoding(head: Buffer, option: SourceEncoding): DetectedEncoding {
  const found = MARKS.find(({ mark }) => startsWith(head, mark));
  if (found?.encoding === 'utf-32le' || found?.encoding === 'utf-32be') {
    throw unsupported(`UTF-32 byte order mark; expected UTF-8, UTF-16 or a named 8-bit encoding`);
  }
  if (found) {
    if (option !== 'auto' && option !== found.encoding) {
      const name = found.encoding.toUpperCase();
      throw new DatasetError(
        'E_ENCODING_CONFLICT',
        'file',
        `${name} byte order mark but encoding: '${option}'; leave the option out`,
      );
    }
    return { encoding: found.encoding, markBytes: found.mark.length };
  }
  if (option !== 'auto') return { encoding: option, markBytes: 0 };
  const utf16 = looksLikeUtf16(head);
  if (utf16)
    throw unsupported(`looks like ${utf16.toUpperCase()} without byte order mark; if so, set encoding: '${utf16}'`);
  return { encoding: 'utf-8', markBytes: 0 };
}

/** Mostly Latin text in UTF-16 has NUL in every second byte; a stray NUL in UTF-8 does not look like that. */
function looksLikeUtf16(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  const nuls = [0, 0];
  head.forEach((byte, at) => {
    if (byte === 0) nuls[at % 2]! += 1;
  });
  const [even, odd] = nuls as [number, number];
  const many = head.length / 4;
  if (head.length >= 4 && odd >= many && even < odd / 8) return 'utf-16le';
  if (head.length >= 4 && even >= many && odd < even / 8) return 'utf-16be';
  return null;
}

const unsupported = (message: string): DatasetError => new DatasetError('E_ENCODING_UNSUPPORTED', 'file', message);
