// What a map may have open at a time, and what it may buy.

export interface Concurrency {
  rows: number;
  parkedRows: number;
}

/** The most that a map may buy; null = any number. */
export interface Caps {
  /** Calls that are answered, refused, or whose outcome is unknown. Reused answers are free. */
  maxCalls: number | null;
  /** Sum of prices, in units of the accounts' currency. */
  maxCost: number | null;
}

export interface Spend {
  calls: number;
  cost: number;
}

/** What the rows of a map may cost, by the prices at its admission. */
export interface Budget {
  caps: Caps;
  /** One row at its cheapest: conditions say no, and each first leg answers. */
  leastPerRow: Spend;
  /** One row at its dearest: every leg of every column. */
  perRow: Spend;
}
