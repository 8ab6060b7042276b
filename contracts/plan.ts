// A map after admission: what pages and rows need to know, with every default resolved. Small, since each row carries it.
import type { Cardinality } from './cardinality';
import type { Force } from './force';
import type { JobPlan } from './job';
import type { Budget, Concurrency } from './map-limits';
import type { Json } from './outcomes';
import type { EarlierCall } from './redrive';
import type { RowCounts } from './results';

/** What a row must know of a tool; limits, secrets and URLs stay with the worker. */
export interface ToolPlan {
  tool: string;
  version: string;
  provider: string;
  account: string;
  taskQueue: string;
  effect: 'read' | 'write';
  /** Units of the account's currency for one answer; 0 = free. */
  price: number;
  /** The provider charges one idempotency key once. */
  idempotent: boolean;
  timeoutMs: number;
  /** Longest time to wait for its account without any success; plans of earlier versions have none and wait for a day. */
  giveUpAfterMs?: number;
  /** Who may reuse an answer; `run` when it is missing, as in plans of maps that were admitted before. */
  share?: 'run' | 'all';
  /** Shared answers older than this are bought anew; 0 = always. A column may say otherwise. */
  maxAgeSeconds?: number;
  /** Only of a tool whose calls are jobs. */
  job?: JobPlan;
}

export interface ToolCallPlan {
  tool: string;
  account: string;
  input: Json;
  maxAgeSeconds?: number;
}

/** One column, in order. Text in `{{ }}` inside `input`, `value` and `runIf` is JSONata over row, cells and run. */
export interface ColumnPlan {
  name: string;
  runIf?: string;
  /** Exactly one of the next two: a value template, or the legs of a tool call (one leg = plain tool column). */
  value?: Json;
  legs?: ToolCallPlan[];
}

export type Program = { kind: 'columns'; columns: ColumnPlan[] } | { kind: 'typescript'; map: string };

/** Times that a worker may set for the maps that it admits, in milliseconds; see contracts/limits.ts for the defaults. */
export interface Timing {
  heartbeatTimeoutMs: number;
  parkedAfterMs: number;
  /** A row joins its shared call again after hearing nothing for this long; missing in plans of earlier versions, which share nothing. */
  joinAgainMs?: number;
  cancelGraceMs: number;
}

export interface RowPlan {
  mapId: string;
  /** Run id of the datasetMap execution that admitted the rows first: a redrive keeps it, and with it every receipt key. */
  runId: string;
  name: string;
  program: Program;
  /** Calls that buy anew what earlier runs have bought; redrives have the run of the first map, so each is bought once. */
  force?: Force;
  /** By `<tool>@<account>`. */
  tools: { [toolAndAccount: string]: ToolPlan };
  timing: Timing;
  /** Columns that identify a row, for its label; left out without a key. */
  key?: string[];
  /** No row is started any more once one has ended because its account is given up; plans of earlier versions start them all. */
  stopsWhenExhausted?: true;
  /** Expressions whose work nothing bounds: an activity evaluates them, in a process that can be ended. Older plans have no such list. */
  apart?: string[];
}

/** One admitted row as it was authored. */
export interface AdmittedRow {
  identity: string;
  /** Position among the physical records of the source, from 0; rejected ones count, blank lines do not. */
  ordinal: number;
  line: number;
  input: { [column: string]: Json };
  /** Calls of the row in the map that this one goes on with. */
  earlier?: EarlierCall[];
}

/** What `admitMap` returns to the map workflow. */
export interface Admission {
  plan: RowPlan;
  concurrency: Concurrency;
  onRowError: 'isolate' | 'fail';
  cardinality: Cardinality;
  /** Rows of each page, in order; a page holds at most 250 rows. */
  pageRows: number[];
  /** Rows that a redrive takes over as they are. */
  carried?: RowCounts;
  /** A map of more pages drives sections of so many; absent in maps that older workers admitted: those drive all pages themselves. */
  pagesPerSection?: number;
  warnings: string[];
  /** Absent in TypeScript maps, and in maps that older workers admitted. */
  budget?: Budget;
}
