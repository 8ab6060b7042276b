// Ports of the outputs: a table writer takes rows in order, and its file appears only when it is finished.
import type { MapFailureCode } from '../../contracts/failures';
import type { Json } from '../../contracts/outcomes';

/** One row of the table: JSON values only, absent = null. */
export interface TableRow {
  [column: string]: Json;
}

/** The finished output: `sanitized` counts characters that the format cannot hold and that became U+FFFD. */
export interface WrittenTable {
  path: string;
  rows: number;
  bytes: number;
  sha256: string;
  sanitized: number;
  /** Rows that were not there before, for tables that are updated in place. */
  inserted?: number;
}

/** Which row of the map it is: what a table that is updated in place finds it by. */
export interface RowPlace {
  identity: string;
  ordinal: number;
}

export interface TableWriter {
  /** Writes the next row, whose `place` a database table needs; waits while the disk is behind. OutputError with scope `row` leaves the writer usable. */
  write(row: TableRow, place?: RowPlace): Promise<void>;
  /** Makes the whole table visible under its path, durably, in one step. */
  finish(): Promise<WrittenTable>;
  /** Drops what was written; the path stays as it was. May be called at any time, also twice. */
  abort(): Promise<void>;
}

export interface OpenTable {
  path: string;
  /** All columns in order. A row may leave some out; a property that is none of them is an error. */
  columns: readonly string[];
  /** Who writes: the run id. Leftovers of the same owner are removed. */
  owner: string;
  /** Replace a file that another run wrote. */
  overwrite: boolean;
  options?: SinkOptions;
}

/** Formats ignore what does not concern them. */
export interface SinkOptions {
  /** CSV: put `'` before text that a spreadsheet would run as a formula. Default false, since it changes data. */
  formulaSafe?: boolean;
  /** CSV: byte order mark, so that Excel reads UTF-8. Default false. */
  excel?: boolean;
  /** Column that takes properties that are not columns, as one JSON object. */
  extraColumn?: string;
}

/** A format: opens tables. One file and one line in table-formats.ts. */
export interface Sink {
  readonly format: string;
  open(table: OpenTable): Promise<TableWriter>;
}

export type OutputErrorCode =
  | Extract<MapFailureCode, 'OUTPUT_EXISTS' | 'OUTPUT_IN_USE' | 'OUTPUT_IS_INPUT' | 'OUTPUT_UNWRITABLE'>
  | 'E_OUTPUT_COLUMN_COLLISION'
  | 'E_OUTPUT_COLUMN_UNKNOWN'
  | 'E_SINK_IO'
  | 'E_PG_IDENTIFIER_TOO_LONG';

/** Thrown by sinks. `row`: this row only; `file`: the output as a whole. */
export class OutputError extends Error {
  override readonly name = 'OutputError';

  constructor(
    readonly code: OutputErrorCode,
    readonly scope: 'file' | 'row',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
