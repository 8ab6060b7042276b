// Port of a dataset: records of one immutable source, in order, from the start or from a cursor.
import type { Json } from '../../contracts/outcomes';
import type { DatasetError } from './dataset-error';

/** Place between two records of one spool. Bytes, not characters, so that it means the same to every reader. */
export interface RecordCursor {
  spoolDigest: string;
  /** Byte offset of the next record in the spool. */
  byteOffset: number;
  /** Position of the next record among the physical records: rejected ones count, blank lines do not. */
  ordinal: number;
  /** Line of the next record, from 1. */
  line: number;
  /** sha256 of the header names. */
  headerDigest: string;
}

/** One physical record: its place, and either its values or what is wrong with it. `raw`: its bytes in the spool, without the row end. */
export interface SourceRecord {
  cursor: RecordCursor;
  raw: Buffer;
  outcome: { values: { [column: string]: Json } } | { error: DatasetError };
}

/** What a reader has seen so far; final once `records` has ended. */
export interface ReaderReport {
  /** Column names in order. CSV: the header. JSON Lines: by first appearance in a good row. */
  columns: readonly string[];
  /** Blank lines that were skipped. */
  blank: number;
  /** `W_CODE: text` lines. */
  warnings: readonly string[];
}

export interface DatasetReader {
  /** Whether the columns are known before the first row (CSV), so that a missing key column can be told at once. */
  readonly fixedColumns: boolean;
  /**
   * Reads strictly, holding one record at a time. Throws DatasetError of scope `file` where the source cannot be read on.
   * A cursor of another spool or header is refused with E_SOURCE_CHANGED.
   */
  records(from?: RecordCursor): AsyncIterable<SourceRecord>;
  /** Reads up to the header; afterwards `report().columns` holds it. */
  open(): Promise<void>;
  report(): ReaderReport;
}
