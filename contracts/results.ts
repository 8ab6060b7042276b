// What rows, pages and maps report: statuses, ledger entries, counters, progress. Shared by workflows, activities and client. One file, since the shapes refer to each other.
import type { Cardinality } from './cardinality';
import type { FailureCode } from './failures';
import type { JobFacts } from './job';
import type { Caps, Concurrency, Spend } from './map-limits';
import type { Billing, HoldReason, HoldScope, Json, Receipt, Resolved, StoredValue } from './outcomes';

/** Row statuses in order of precedence: when several columns disagree the first one of this list wins (rule 1). */
export const ROW_STATUSES = ['unknown', 'failed', 'cancelled', 'not_run', 'done', 'missed', 'skipped'] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** One call of one column as it ended. `holds`: durable holds it went through. */
export interface LedgerEntry {
  column: string;
  tool: string;
  provider: string;
  account: string;
  status: 'done' | 'missed' | 'failed' | 'unknown' | 'cancelled';
  holds: number;
  attempts: number;
  /** Bought anew on purpose, or joined to such a call of this map. */
  forced?: true;
  receipt?: Receipt;
  billing?: Billing;
  code?: FailureCode;
  message?: string;
  retryAtMs?: number;
  repairable?: boolean;
  /** What the provider charged for an answer that was not a result. */
  charged?: number;
  /** Another row made the call that failed, or an earlier map counts the start of its job. */
  attached?: true;
  /** A person settled the call as failed; `inputDigest` as a receipt has it. */
  resolved?: Resolved & { inputDigest: string };
  /** Number of the billing request that the call, made anew, has to send next; left out when it is 0. */
  billingNumber?: number;
  /** A request under that number may have been charged, so it stays whatever the provider says next. */
  billingOpen?: true;
  /** The job that was started, where its result did not come. */
  job?: JobFacts;
  /** Workflow of the shared call that goes on with a request which the row could not wait for. */
  sharedCall?: string;
}

export interface RowError {
  code: FailureCode;
  message: string;
  column?: string;
  retryAtMs?: number;
  repairable: boolean;
}

/** The outcome of one admitted row: what is written to a part, once. */
export interface RowOutcome {
  identity: string;
  ordinal: number;
  status: RowStatus;
  cells: { [column: string]: Json | StoredValue };
  /** Columns whose cells are references to the run store; only where a cell looks like one. */
  references?: string[];
  /** Columns whose runIf said no. */
  skipped: string[];
  ledger: LedgerEntry[];
  error?: RowError;
}

/** Result of mapRow: the outcome, or its place in the run store when it is over 32 KB. */
export type RowResult =
  | RowOutcome
  | (Pick<RowOutcome, 'identity' | 'ordinal' | 'status'> & { stored: StoredValue; counts: CountTable });

/** Counters of one column or provider, from ledger entries; `cost` in the account's currency units. */
export interface Counters {
  executed: number;
  reused: number;
  attached: number;
  held: number;
  missed: number;
  failed: number;
  unknown: number;
  skipped: number;
  cost: number;
}

export interface CountTable {
  columns: { [column: string]: Counters };
  providers: { [providerAndAccount: string]: Counters };
  /** Why rows did not finish, by failure code; left out while every row did. */
  errors?: { [code: string]: ErrorCount };
  /** Calls that bought anew on purpose what earlier runs may have bought (`force`); left out while there are none. */
  forced?: number;
  /** Failed calls that were no call of their own: nothing was sent, another row made it, or `executed` has it. Left out while there are none. */
  failedBesides?: number;
}

/** Rows that ended with one failure code, and the message of one of them, at most SHOWN_ERROR_CHARACTERS long. */
export interface ErrorCount {
  rows: number;
  message: string;
}

export type RowCounts = { [status in RowStatus]: number };

/** What a page tells its map: when its open rows fall below half and a tenth of its room, when rows park, and at the end. */
export interface PageReport {
  page: number;
  /** Version of the room that the page had when it wrote this; a map never raises others on an older word. */
  roomVersion: number;
  open: number;
  parked: number;
  notStarted: number;
  rows: RowCounts;
  counts: CountTable;
  /** Why no further row is started: the account of a call is given up. */
  givenUp?: RowError;
}

/** Signal payload from a map to a page: rows it may have open, and parked beyond them. */
export interface Room {
  version: number;
  rows: number;
  parkedRows: number;
  /** The first so many rows of the page may be started, since a cap keeps the others back; absent = all. */
  mayStart?: number;
}

/** Answer of the query `progress` on a page: exact at the time of the query. */
export interface PageProgress extends PageReport {
  workflowId: string;
  room: Room;
  paused: boolean;
  asOfMs: number;
}

/** Answer of the query `progress` on a section: the totals as of the last reports of its pages, and what gives exact ones. */
export interface SectionProgress extends PageProgress {
  settled: MapProgress['settled'];
  openPages: MapProgress['openPages'];
}

/** Signal payload from a map to its pages, and from a page to its rows. Signals may overtake each other: the highest version counts. */
export interface PauseOrder {
  version: number;
  paused: boolean;
}

/** One open row of a page, for the query `holds`: the row's own `holds` query tells what its calls wait for. */
export interface OpenRow {
  workflowId: string;
  identity: string;
  ordinal: number;
  startedAtMs: number;
  parked: boolean;
}

/** Answer of the query `holds` on a row: each call under way. `queued` = in the provider's task queue or being sent. */
export interface CallState {
  column: string;
  tool: string;
  provider: string;
  account: string;
  state: 'queued' | 'hold' | 'paused';
  sinceMs: number;
  reason?: HoldReason;
  scope?: HoldScope;
  retryAtMs?: number;
  /** The job that it waits for. */
  job?: JobFacts;
  /** Workflow of the shared call that it waits for: asked for `holds` itself, that one tells what for. */
  sharedCall?: string;
}

/**
 * Answer of the query `holds` on a row. `control` tells a cancelled activity what to do with a call that was sent:
 * `finish` (pause, or a sibling threw) = let it end, `cancel` = abort free reads, give the others their grace.
 */
export interface RowHolds {
  control: 'run' | 'finish' | 'cancel';
  calls: CallState[];
}

export type MapState =
  | 'admitting'
  | 'running'
  | 'paused'
  | 'cancelling'
  | 'finishing'
  | 'completed'
  | 'cancelled'
  | 'failed';

/** A cap of a map, by its name in the spec. */
export type CapName = keyof Caps;

/** What a map has bought and may still buy. Spent and reserved together never exceed a cap, but for one that was lowered below them. */
export interface MapBudget {
  caps: Caps;
  /** By rows that have ended: from their receipts. */
  spent: Spend;
  /** For rows that may be under way: each at its dearest. */
  reserved: Spend;
  /** Over all rows: when every condition says no and every first leg answers, and when everything runs. */
  least: Spend;
  most: Spend;
}

/** Answer of the query `progress` on a map: as of the last reports of its pages. */
export interface MapProgress {
  mapId: string;
  runId: string;
  name: string | null;
  state: MapState;
  asOfMs: number;
  startedAtMs: number;
  cardinality: Cardinality | null;
  concurrency: Concurrency | null;
  open: number;
  parked: number;
  /** Admitted rows that no page has started yet. */
  notStarted: number;
  rows: RowCounts;
  counts: CountTable;
  /** Sums of the finished pages alone: with the exact answers of the open pages they give exact totals. */
  settled: { rows: RowCounts; counts: CountTable };
  /** Of a map with sections: its open sections, by their numbers. `report`: what it told last, null when it has told nothing yet. */
  openPages: { page: number; workflowId: string; report: PageReport | null }[];
  /** `<provider>.<account>` of every tool of the plan, sorted; empty while admitting. */
  providers: string[];
  /** Known from finishing on; a map that ends as Canceled has no result to read it from. */
  output: OutputPaths | null;
  /** Rows that a redrive took over as they are; they are no part of `rows` before the end. */
  carried?: RowCounts;
  warnings: string[];
  /** Absent in TypeScript maps, whose calls nobody knows before they run. */
  budget?: MapBudget;
  /** Why the state is `paused`: a person said so, or a cap is reached. Raise the cap and it goes on. */
  pausedBy?: 'person' | CapName;
}

/** Where the results lie. Paths are absolute on the worker's machine. */
export interface OutputPaths {
  table: string[];
  failures: string;
  summary: string;
}

/** Result of datasetMap. `cancelled`: the table is complete all the same, every row has a status. */
export interface MapResult {
  mapId: string;
  runId: string;
  status: 'completed' | 'cancelled' | 'failed';
  cardinality: Cardinality;
  rows: RowCounts;
  counts: CountTable;
  output: OutputPaths;
  /** After a redrive: rows by the map in which they came to be what they are. */
  from?: { [mapId: string]: RowCounts };
  warnings: string[];
  error?: { code: FailureCode; message: string };
}

/** The summary file: the map's result plus when it ran. Its sums are asserted before it is written. */
export interface MapSummary extends MapResult {
  name: string;
  startedAtMs: number;
  endedAtMs: number;
}
