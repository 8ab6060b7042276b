// What an export is asked for and what it answers; contracts/schemas/export-spec.ts reads the request.
import type { RowCounts } from './results';

/** Formats of a table in a file. */
export const TABLE_FORMATS = ['csv', 'jsonl'] as const;
export type TableFormatName = (typeof TABLE_FORMATS)[number];

export interface ExportRequest {
  /** Id of a map that was admitted, running or not. */
  map: string;
  /** File to write on the worker's machine; a relative path starts at its data root. Left out: all outputs of a map that has ended. */
  to?: string;
  /** Default: what the ending of `to` says, else the first table of the map. */
  format?: TableFormatName;
  /** Replace files that hold something else; default false, whatever the spec of the map says. */
  overwrite?: boolean;
}

export interface ExportResult {
  map: string;
  /** False: the map has no end in the run store, so this is the table as it was then. */
  ended: boolean;
  /** What was written, as summaries name outputs. */
  files: string[];
  /** All admitted rows by status, `pending` those without an outcome yet. */
  rows: RowCounts;
  pending: number;
  /** `W_CODE: text` lines. */
  warnings: string[];
}
