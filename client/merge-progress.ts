// Totals of a map: the sums of its finished pages and the exact answers of its open ones, added up.
import { addCountTable, addRowCounts, noCountTable, noRowCounts, sumRowCounts } from '../contracts/counting';
import type { CountTable, MapProgress, PageProgress, RowCounts } from '../contracts/results';

export interface Totals {
  /** True when every open page answered; otherwise the figures are those of the pages' last reports. */
  exact: boolean;
  /** Admitted rows, null until admission ended. */
  total: number | null;
  ended: number;
  open: number;
  parked: number;
  notStarted: number;
  rows: RowCounts;
  counts: CountTable;
}

/**
 * `pages`: answers of the open pages that `map` names, null for one that gave none. A page that was opened or finished
 * after `map` was asked is counted as not started or by its own answer, so the parts always make up the total.
 */
export function mergeProgress(map: MapProgress, pages: readonly (PageProgress | null)[]): Totals {
  const total = map.cardinality?.uniqueInputRows ?? null;
  const answers = pages.filter((page) => page !== null);
  if (answers.length < map.openPages.length) {
    const { open, parked, notStarted, rows, counts } = map;
    return { exact: false, total, ended: sumRowCounts(rows), open, parked, notStarted, rows, counts };
  }

  const rows = addRowCounts(noRowCounts(), map.settled.rows);
  const counts = addCountTable(noCountTable(), map.settled.counts);
  let open = 0;
  let parked = 0;
  for (const page of answers) {
    addRowCounts(rows, page.rows);
    addCountTable(counts, page.counts);
    open += page.open;
    parked += page.parked;
  }
  const ended = sumRowCounts(rows);
  return {
    exact: true,
    total,
    ended,
    open,
    parked,
    notStarted: Math.max(0, (total ?? 0) - ended - open - parked),
    rows,
    counts,
  };
}
