// Totals of a map: the sums of its finished pages and the exact answers of its open ones, added up.
import { addCountTable, addRowCounts, noCountTable, noRowCounts, sumRowCounts } from '../contracts/counting';
import type { CountTable, MapProgress, PageProgress, PageReport, RowCounts } from '../contracts/results';

export interface Totals {
  /** True when every open page has answered; otherwise some figures are those of the pages' last reports. */
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

const endedOf = (page: PageReport): number => sumRowCounts(page.rows);

/** What is known of an open page: its own answer or what it told its map, whichever counts more ended rows. */
function latest(answer: PageProgress | null, report: PageReport | null): PageReport | null {
  if (!answer || !report) return answer ?? report;
  return endedOf(report) > endedOf(answer) ? report : answer;
}

/**
 * `pages`: answers of the open pages that `map` names, null for one that gave none; it counts as of its last report, so no
 * figure goes backwards. A page that was opened or finished after `map` was asked is counted as not started or by its own
 * answer, so the parts always make up the total.
 */
export function mergeProgress(map: MapProgress, pages: readonly (PageProgress | null)[]): Totals {
  const total = map.cardinality?.uniqueInputRows ?? null;
  const rows = addRowCounts(addRowCounts(noRowCounts(), map.settled.rows), map.carried ?? noRowCounts());
  const counts = addCountTable(noCountTable(), map.settled.counts);
  let open = 0;
  let parked = 0;
  for (const [index, { report }] of map.openPages.entries()) {
    const page = latest(pages[index] ?? null, report);
    if (!page) continue;
    addRowCounts(rows, page.rows);
    addCountTable(counts, page.counts);
    open += page.open;
    parked += page.parked;
  }
  const ended = sumRowCounts(rows);
  return {
    exact: map.openPages.every((_, index) => pages[index] != null),
    total,
    ended,
    open,
    parked,
    notStarted: Math.max(0, (total ?? 0) - ended - open - parked),
    rows,
    counts,
  };
}
