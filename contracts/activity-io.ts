// Inputs and results of the activities on the main task queue; the calls themselves are in outcomes.ts.
import type { Json } from './outcomes';
import type { AdmittedRow } from './plan';
import type { MapResult, RowOutcome, RowResult } from './results';

/** `spec`: as the caller sent it, not yet validated. Relative paths in it are resolved under the worker's data root. */
export interface AdmitInput {
  mapId: string;
  runId: string;
  spec: unknown;
  /** TypeScript maps that the workflow bundle defines. */
  maps: string[];
}

/** `request`: as the caller sent it, not yet validated; see contracts/export.ts. */
export interface ExportInput {
  runId: string;
  request: unknown;
}

export interface PageRef {
  mapId: string;
  page: number;
}

/** Admitted rows of one page, at most 250 and 1 MiB. */
export type PageRows = AdmittedRow[];

/** One flush: at most 512 KiB of outcomes. `part` counts the flushes of the page from 0. */
export interface WriteResultsInput extends PageRef {
  part: number;
  outcomes: RowResult[];
}

export interface StoreRowResultInput {
  mapId: string;
  outcome: RowOutcome;
}

/** A cell that does not fit into its row's outcome beside the others. */
export interface StoreValueInput {
  mapId: string;
  value: Json;
}

/** An expression of a spec that workflow code must not run, and what it sees: row, cells and run. */
export interface EvaluateInput {
  expression: string;
  scope: { [name: string]: Json };
}

/** What an expression gave, nothing when it selects nothing; or why it gave nothing. */
export type Evaluation = { value?: Json } | { problem: string };

/** A page that has no result: `not_run` when it was never started, `unknown` when its workflow was ended by hand. */
export interface PageWithoutResult {
  page: number;
  status: 'not_run' | 'unknown';
}

/**
 * `openedPages`: the first so many pages wrote an outcome for each of their rows, but for those `withoutResult`; the rows
 * of all later pages are `not_run`. */
export interface FinishInput {
  mapId: string;
  runId: string;
  status: MapResult['status'];
  openedPages: number;
  withoutResult: PageWithoutResult[];
  startedAtMs: number;
  /** When the last row had ended; given, so that a repeated finish writes the same bytes. */
  endedAtMs: number;
  /** What the map itself has to say, beyond the warnings of admission. */
  warnings: string[];
  error?: NonNullable<MapResult['error']>;
}

/** The numbers as they stand in the store, counted from the outcomes that were written. */
export type FinishResult = Pick<MapResult, 'cardinality' | 'rows' | 'counts' | 'output' | 'from' | 'warnings'>;
