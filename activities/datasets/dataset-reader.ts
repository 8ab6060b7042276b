// Port of a dataset: records of one immutable source, in order, from the start or from a cursor.
import type { Json } from '../../contracts/outcomes';
import type { DatasetError } from './dataset-error';

/** Place between two records of one spool. Bytes, not characters, so that it means the same to every reader. */
export interface RecordCursor {
  spoolDigest: string;
  /** Byte offset of the record in the spool. */
  byteOffset: number;
  /** Position of the record among the physical records, from 0: rejected ones count, blank lines do not. */
  ordinal: number;
  /** Line of the record, from 1. */
  line: number;
  /** sha256 of the header names. */
  headerDigest: string;
  /** Where the dataset has several files: the record's file among them, and the records of the files before it. */
  file?: { name: string; recordsBefore: number };
}

/** Values of one row. No prototype: a column may be called `__proto__`. */
export interface RowValues {
  [column: string]: Json;
}

/** One physical record: where it starts, its bytes without the row end, and its values or what is wrong with it. */
export interface SourceRecord {
  cursor: RecordCursor;
  raw: Buffer;
  outcome: { values: RowValues } | { error: DatasetError };
}

/** What one reading has seen so far; final once its records have ended. */
export interface ReaderReport {
  /** Column names in order. CSV: the header. JSON Lines: by first appearance in a good row. */
  columns: readonly string[];
  /** Blank lines that were skipped. */
  blank: number;
  /** `W_CODE: text` lines. */
  warnings: readonly string[];
}

/** One reading: its records, and beside them the report. Throws DatasetError of scope `file` where it cannot go on. */
export interface RecordStream {
  records: AsyncIterable<SourceRecord>;
  report(): ReaderReport;
}

export interface DatasetReader {
  /** Column names that are known before the first row, or null where every row names its own (JSON Lines). */
  readonly header: readonly string[] | null;
  /** Line of the header, from 1; null where the names come from elsewhere. */
  readonly headerLine: number | null;
  /** Starts a reading that holds one record at a time. A cursor of another spool or header is refused with E_SOURCE_CHANGED. */
  read(from?: RecordCursor): RecordStream;
}

/** The immutable copy that a reader works on: decompressed UTF-8 without byte order mark. */
export interface Spool {
  path: string;
  /** sha256 of its bytes, 64 hex digits. */
  sha256: string;
  bytes: number;
}
