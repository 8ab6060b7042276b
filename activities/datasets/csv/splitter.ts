// Cuts CSV bytes into records, the same for every chunking. It knows quotes and row ends, and nothing of values.
// Longer than most files: it is one state machine, and its states only make sense next to each other.
import { DatasetError } from '../dataset-error';
import type { RawRecord } from '../raw-record';

/** What ends the rows: undecided until the first row end outside quotes. `mixed`: both LF and CRLF were seen. */
export interface RowEnds {
  style: 'undecided' | 'lf' | 'cr';
  lf: boolean;
  crlf: boolean;
}

export interface SplitterOptions {
  /** Each of these characters ends a field: one, or every candidate while the delimiter is being detected. */
  delimiters: readonly string[];
  maxFieldBytes: number;
  maxRecordBytes: number;
}

/** Where the bytes that will be pushed start. */
export interface SplitterStart {
  byteOffset: number;
  line: number;
  rowEnds: RowEnds;
}

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

/** `field`: at its first byte. `quoteSeen`: a quote inside quotes that closes the field or is the first of a pair. */
type State = 'field' | 'unquoted' | 'quoted' | 'quoteSeen' | 'crSeen';

export class CsvSplitter {
  readonly rowEnds: RowEnds;
  private readonly isDelimiter = new Uint8Array(256);
  private state: State = 'field';
  /** Bytes of the current record that came in earlier chunks. */
  private pending: Buffer[] = [];
  private offset: number;
  private recordStart: number;
  private fieldStart: number;
  private fieldNumber = 1;
  private line: number;
  private recordLine: number;
  private quoteLine = 0;

  constructor(
    private readonly options: SplitterOptions,
    start: SplitterStart,
  ) {
    this.rowEnds = { ...start.rowEnds };
    this.offset = this.recordStart = this.fieldStart = start.byteOffset;
    this.line = this.recordLine = start.line;
    for (const delimiter of options.delimiters) this.isDelimiter[delimiter.charCodeAt(0)] = 1;
  }

  /** Place after the last record that was given out. */
  position(): SplitterStart {
    return { byteOffset: this.recordStart, line: this.recordLine, rowEnds: this.rowEnds };
  }

  /** Gives the records that the chunk completes one by one, so that an earlier row error is met before a later fatal one. */
  *push(chunk: Buffer): Generator<RawRecord> {
    const base = this.offset;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      this.offset = base + at;
      if (this.state === 'crSeen') {
        if (byte === LF) {
          yield this.endRecord(chunk, base, at - 1, at + 1, 'crlf');
          continue;
        }
        yield this.endRecord(chunk, base, at - 1, at, 'cr');
      }
      if (this.step(byte)) yield this.endRecord(chunk, base, at, at + 1, 'lf');
    }
    this.offset = base + chunk.length;
    // After a carriage return the record is over: its size is checked without it when the next byte is seen.
    if (this.state !== 'crSeen') this.checkSizes();
    const kept = chunk.subarray(Math.max(0, this.recordStart - base));
    if (kept.length > 0) this.pending.push(kept);
  }

  /** The last record when it has no row end. */
  *end(): Generator<RawRecord> {
    if (this.state === 'quoted') {
      throw fatal(
        'E_CSV_QUOTE_UNCLOSED',
        this.quoteLine,
        `the quote that opens at line ${this.quoteLine} is never closed`,
      );
    }
    const nothing = Buffer.alloc(0);
    if (this.state === 'crSeen') yield this.endRecord(nothing, this.offset, -1, 0, 'cr');
    else if (this.offset > this.recordStart) yield this.take(nothing, this.offset, 0, 0);
  }

  /** Moves on by one byte; true when it is a line feed that ends the record. */
  private step(byte: number): boolean {
    switch (this.state) {
      case 'field':
      case 'unquoted':
        if (byte === LF) return true;
        if (byte === CR) this.state = 'crSeen';
        else if (this.isDelimiter[byte] === 1) this.nextField();
        else if (byte === QUOTE && this.state === 'field') {
          this.state = 'quoted';
          this.quoteLine = this.line;
        } else this.state = 'unquoted';
        return false;
      case 'quoted':
        if (byte === QUOTE) this.state = 'quoteSeen';
        else if (byte === (this.rowEnds.style === 'cr' ? CR : LF)) this.line++;
        return false;
      case 'quoteSeen':
        if (byte === LF) return true;
        if (byte === CR) this.state = 'crSeen';
        else if (byte === QUOTE) this.state = 'quoted';
        else if (this.isDelimiter[byte] === 1) this.nextField();
        else {
          this.checkSizes();
          const message = `text after the closing quote of field ${this.fieldNumber}, whose quote opens at line ${this.quoteLine}; expected a delimiter or row end, and quotes inside it doubled`;
          throw fatal('E_CSV_TEXT_AFTER_QUOTE', this.quoteLine, message, this.offset);
        }
        return false;
      case 'crSeen':
        throw new Error('a carriage return is resolved before the next byte');
    }
  }

  private nextField(): void {
    this.checkSizes();
    this.state = 'field';
    this.fieldNumber++;
    this.fieldStart = this.offset + 1;
  }

  /** `end` and `next`: index in the chunk after the record's last byte, and of the next record's first. */
  private endRecord(chunk: Buffer, base: number, end: number, next: number, rowEnd: 'lf' | 'crlf' | 'cr'): RawRecord {
    this.offset = base + end;
    this.checkSizes();
    this.checkRowEnd(rowEnd, base + end);
    return this.take(chunk, base, end, next);
  }

  private take(chunk: Buffer, base: number, end: number, next: number): RawRecord {
    const from = Math.max(0, this.recordStart - base);
    // A carriage return at the end of an earlier chunk lies in `pending`, so the length decides, not the parts.
    const length = base + end - this.recordStart;
    const parts = [...this.pending, chunk.subarray(from, Math.max(from, end))];
    const bytes = (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).subarray(0, length);
    const record = { bytes, byteOffset: this.recordStart, line: this.recordLine };
    this.pending = [];
    this.offset = this.recordStart = this.fieldStart = base + next;
    this.recordLine = ++this.line;
    this.fieldNumber = 1;
    this.state = 'field';
    return record;
  }

  private checkRowEnd(rowEnd: 'lf' | 'crlf' | 'cr', byte: number): void {
    const { rowEnds, line } = this;
    if (rowEnds.style === 'undecided') rowEnds.style = rowEnd === 'cr' ? 'cr' : 'lf';
    if (rowEnd === 'cr' && rowEnds.style === 'lf') {
      const message = `bare carriage return outside quotes at line ${line}, in a file whose lines end with LF or CRLF; quote the cell, or the file may be cut`;
      throw fatal('E_CSV_BARE_CR', line, message, byte);
    }
    if (rowEnd !== 'cr' && rowEnds.style === 'cr') {
      const message = `line feed outside quotes at line ${line}, in a file whose lines end with a bare CR; use one kind of row end`;
      throw fatal('E_CSV_BARE_LF', line, message, byte);
    }
    if (rowEnd !== 'cr') rowEnds[rowEnd] = true;
  }

  /** The limit that was passed first is the one that is told, whatever the chunks. */
  private checkSizes(): void {
    const { maxFieldBytes, maxRecordBytes } = this.options;
    const fieldEnd = this.fieldStart + maxFieldBytes;
    const recordEnd = this.recordStart + maxRecordBytes;
    if (this.offset <= Math.min(fieldEnd, recordEnd)) return;
    const where = `the record at line ${this.recordLine}`;
    if (fieldEnd <= recordEnd) {
      const message = `field ${this.fieldNumber} of ${where} is larger than maxFieldBytes (${maxFieldBytes}); a quote may be missing`;
      const at = { line: this.recordLine, field: this.fieldNumber, byte: this.fieldStart };
      throw new DatasetError('E_FIELD_TOO_LARGE', 'file', message, at);
    }
    const message = `${where} is larger than maxRecordBytes (${maxRecordBytes}); a quote may be missing`;
    throw fatal('E_RECORD_TOO_LARGE', this.recordLine, message, this.recordStart);
  }
}

function fatal(code: DatasetError['code'], line: number, message: string, byte?: number): DatasetError {
  return new DatasetError(code, 'file', message, byte === undefined ? { line } : { line, byte });
}
