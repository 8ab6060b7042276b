// Turns a stream of an encoding into UTF-8, strictly: the first byte that does not fit ends it with its place.
import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import type { ByteStream } from '../byte-stream';
import { DatasetError } from '../dataset-error';
import type { DetectedEncoding } from './detect';
import { firstInvalid, incompleteTail } from './utf8-check';

/** Decodes whole characters. `invalid`: index in `bytes` of the first bad one, or -1. `tail`: bytes that wait for more. */
type DecodeStep = (bytes: Buffer) => { utf8: Buffer; invalid: number; tail: number };

/** `stream` starts after the byte order mark; offsets in errors count from there. Throws E_ENCODING_INVALID. */
export async function* decodeToUtf8(stream: ByteStream, detected: DetectedEncoding): AsyncGenerator<Buffer> {
  const step = STEPS[detected.encoding] ?? singleByte(detected.encoding);
  const lines = countLineEnds();
  let offset = 0;
  let carried: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
    const { utf8, invalid, tail } = step(bytes);
    lines.add(utf8);
    if (invalid >= 0) throw invalidByte(bytes[invalid]!, offset + invalid, lines.line(), detected.encoding);
    if (utf8.length > 0) yield utf8;
    carried = bytes.subarray(bytes.length - tail);
    offset += bytes.length - tail;
  }
  if (carried.length > 0) throw invalidByte(carried[0]!, offset, lines.line(), detected.encoding);
}

const STEPS: { [encoding in DetectedEncoding['encoding']]?: DecodeStep } = {
  'utf-8': (bytes) => {
    const tail = incompleteTail(bytes);
    const whole = bytes.subarray(0, bytes.length - tail);
    const invalid = isUtf8(whole) ? -1 : firstInvalid(whole);
    return { utf8: invalid < 0 ? whole : whole.subarray(0, invalid), invalid, tail };
  },
  'utf-16le': (bytes) => utf16(bytes.subarray(0, bytes.length - (bytes.length % 2)), bytes.length % 2),
  'utf-16be': (bytes) =>
    utf16(Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16(), bytes.length % 2),
};

function utf16(littleEndian: Buffer, odd: number): ReturnType<DecodeStep> {
  const text = littleEndian.toString('utf16le');
  const last = text.charCodeAt(text.length - 1);
  const waits = last >= 0xd800 && last <= 0xdbff ? 1 : 0;
  const whole = text.slice(0, text.length - waits);
  // With the u flag a proper pair is one character, so this finds unpaired halves only.
  const lone = whole.search(/\p{Surrogate}/u);
  const good = lone < 0 ? whole : whole.slice(0, lone);
  return { utf8: Buffer.from(good), invalid: lone < 0 ? -1 : 2 * lone, tail: 2 * waits + odd };
}

/** One byte is one character; bytes that the code page leaves open come out as U+FFFD. */
function singleByte(encoding: string): DecodeStep {
  return (bytes) => {
    const text = iconv.decode(bytes, encoding, { stripBOM: false });
    const invalid = text.indexOf('\ufffd');
    return { utf8: Buffer.from(invalid < 0 ? text : text.slice(0, invalid)), invalid, tail: 0 };
  };
}

/** Line of the next character, from 1. Line feeds count; carriage returns only in a text without any. */
function countLineEnds() {
  let feeds = 0;
  let returns = 0;
  return {
    add(utf8: Buffer) {
      for (let at = utf8.indexOf(0x0a); at >= 0; at = utf8.indexOf(0x0a, at + 1)) feeds++;
      if (feeds === 0) for (let at = utf8.indexOf(0x0d); at >= 0; at = utf8.indexOf(0x0d, at + 1)) returns++;
    },
    line: () => 1 + (feeds > 0 ? feeds : returns),
  };
}

function invalidByte(byte: number, offset: number, line: number, encoding: string): DatasetError {
  const hex = `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  const hint = encoding === 'windows-1252' ? 'the file may be cut or binary' : HINT;
  const message = `byte ${hex} at offset ${offset} (line ${line}) is not valid ${encoding}; ${hint}`;
  return new DatasetError('E_ENCODING_INVALID', 'file', message, { line, byte: offset });
}

const HINT = "if the file comes from Excel or Windows set encoding: 'windows-1252'";
