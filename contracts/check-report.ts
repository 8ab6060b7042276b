// What `sluice check` finds: all that admission would say of a spec, and what its map may cost.
import type { Cardinality } from './cardinality';
import type { FailureCode, Problem } from './failures';
import type { Json } from './outcomes';

/** Calls of one tool over all rows: `least` when every condition says no and every first leg answers, `most` when all run. */
export interface ToolEstimate {
  tool: string;
  account: string;
  /** Units of the account's currency for one answer; 0 = free. */
  price: number;
  least: number;
  most: number;
}

/** Without repetitions: those of one call are charged once where the provider has idempotency. */
export interface CallEstimate {
  tools: ToolEstimate[];
  /** Calls, and what they cost, over all rows. */
  least: number;
  most: number;
  costLeast: number;
  costMost: number;
}

/** Line of a record within its file; `file` where the dataset has several. */
export interface SourcePlace {
  line: number;
  file?: string;
}

/** A row that repeats the one at `first`; `differs`: with other content. */
export interface Repetition extends SourcePlace {
  first: SourcePlace;
  differs: boolean;
}

export interface CheckedDataset {
  columns: string[];
  /** The first rows as they were read. */
  firstRows: { line: number; input: { [column: string]: Json } }[];
  cardinality: Cardinality & { blank: number };
  /** Rows that repeat an earlier one, the first of them. */
  repeats: Repetition[];
  pages: number;
  /** Size of the dataset as UTF-8, decompressed. */
  bytes: number;
}

/** A problem with the code under which admission would refuse. */
export interface CheckProblem extends Problem {
  code: FailureCode;
}

export interface CheckReport {
  /** Empty: the map would be admitted. */
  problems: CheckProblem[];
  /** `W_CODE: text` lines. */
  warnings: string[];
  /** Null when the dataset cannot be read. */
  dataset: CheckedDataset | null;
  /** Null for a TypeScript map, which decides when it runs, and when a tool or the dataset is not known. */
  calls: CallEstimate | null;
}
