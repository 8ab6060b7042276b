// Sums over the units of a driver: those that have ended, and the last word of the open ones. Pure.
import { addCountTable, addRowCounts, noCountTable, noRowCounts, sumRowCounts } from '../contracts/counting';
import type { CountTable, RowCounts } from '../contracts/results';
import type { OpenPage } from './room';

export interface Settled {
  rows: RowCounts;
  counts: CountTable;
}

export interface DriverTotals extends Settled {
  open: number;
  parked: number;
  notStarted: number;
}

/** `total`: rows of all units. */
export function totalsOf(settled: Settled, units: readonly OpenPage[], total: number): DriverTotals {
  const rows = addRowCounts(noRowCounts(), settled.rows);
  const counts = addCountTable(noCountTable(), settled.counts);
  let open = 0;
  let parked = 0;
  for (const { report } of units) {
    if (!report) continue;
    addRowCounts(rows, report.rows);
    addCountTable(counts, report.counts);
    open += report.open;
    parked += report.parked;
  }
  return { open, parked, notStarted: total - sumRowCounts(rows) - open - parked, rows, counts };
}
