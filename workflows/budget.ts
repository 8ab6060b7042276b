// What a map may still buy: how many rows each page may have started, so that started rows at their dearest stay within the caps. Pure.
import { sumRowCounts } from '../contracts/counting';
import type { Budget, Spend } from '../contracts/map-limits';
import type { CapName, CountTable, MapBudget, RowCounts } from '../contracts/results';
import { type OpenPage, withMayStart } from './room';

/** Money is compared in millionths, so that 0.1 + 0.2 fits into 0.3. */
const exact = (money: number): number => Math.round(money * 1e6) / 1e6;

const plus = (a: Spend, b: Spend): Spend => ({ calls: a.calls + b.calls, cost: exact(a.cost + b.cost) });
const times = ({ calls, cost }: Spend, count: number): Spend => ({ calls: calls * count, cost: exact(cost * count) });

/**
 * What ended rows have used up. A refused call is a call too, but one that was charged is counted as executed already. What an
 * unknown one cost nobody knows: its row keeps the whole of its reservation.
 */
function spentBy(rows: RowCounts, { columns, failedBesides = 0 }: CountTable, perRow: Spend): Spend {
  const bought = Object.values(columns).reduce<Spend>(
    (sum, { executed, failed, cost }) => plus(sum, { calls: executed + failed, cost }),
    { calls: -failedBesides, cost: 0 },
  );
  return plus(bought, times(perRow, rows.unknown));
}

/** Rows that the page may have started at all; without caps all of them. */
const allowedOf = ({ room, rowCount }: OpenPage): number => Math.min(rowCount, room.mayStart ?? rowCount);

/** Rows of the page that may be under way, as far as its map knows: an old report makes them more, never fewer. */
const underWay = (page: OpenPage): number => allowedOf(page) - (page.report ? sumRowCounts(page.report.rows) : 0);

export interface Ended {
  rows: RowCounts;
  counts: CountTable;
}

/** Spent by ended rows, and reserved for those that may be under way. */
function standOf(budget: Budget, settled: Ended, pages: readonly OpenPage[]): Pick<MapBudget, 'spent' | 'reserved'> {
  const { perRow } = budget;
  const ended = [settled, ...pages.flatMap(({ report }) => report ?? [])];
  return {
    spent: ended.map(({ rows, counts }) => spentBy(rows, counts, perRow)).reduce(plus),
    reserved: times(
      perRow,
      pages.reduce((sum, page) => sum + underWay(page), 0),
    ),
  };
}

/** Rows that fit into what is left of one cap: any number without a cap, or when a row takes nothing of it. */
const rowsFor = (cap: number | null, used: number, perRow: number): number =>
  cap === null || perRow === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor((cap - used) / perRow + 1e-9));

/** Rows that may be started beyond those that were allowed already, and the cap that says so. */
function affordable({ caps, perRow }: Budget, used: Spend): { rows: number; cap: CapName } {
  const calls = rowsFor(caps.maxCalls, used.calls, perRow.calls);
  const cost = rowsFor(caps.maxCost, used.cost, perRow.cost);
  return calls <= cost ? { rows: calls, cap: 'maxCalls' } : { rows: cost, cap: 'maxCost' };
}

/** The budget as `progress` shows it, over `rows` admitted rows. */
export const budgetOf = (budget: Budget, settled: Ended, pages: readonly OpenPage[], rows: number): MapBudget => ({
  caps: budget.caps,
  ...standOf(budget, settled, pages),
  least: times(budget.leastPerRow, rows),
  most: times(budget.perRow, rows),
});

export interface Allowance {
  pages: OpenPage[];
  /** Pages that may start more rows than before. */
  raised: number[];
  /** Rows that the next page may start; 0 = it stays closed. */
  next: number;
  /** The cap that keeps rows from starting, null while there is none. */
  keptBackBy: CapName | null;
}

/**
 * Lets `rows` more rows start, earlier pages first; with `inAll` as many in all, of the open pages together. What was allowed once is
 * never taken back. `nextRowCount`: null = no page is left.
 */
export function allowMore(
  rows: number,
  open: readonly OpenPage[],
  nextRowCount: number | null,
  inAll = false,
): Pick<Allowance, 'pages' | 'raised' | 'next'> & { isKeptBack: boolean } {
  let left = inAll ? Math.max(0, rows - open.reduce((sum, page) => sum + allowedOf(page), 0)) : rows;
  const raised: number[] = [];
  const pages = open.map((page) => {
    const more = Math.min(page.rowCount - allowedOf(page), left);
    left -= more;
    if (more <= 0) return page;
    raised.push(page.page);
    return withMayStart(page, allowedOf(page) + more);
  });
  const isKeptBack = left < 1 && (nextRowCount !== null || pages.some((page) => allowedOf(page) < page.rowCount));
  return { pages, raised, next: Math.min(nextRowCount ?? 0, left), isKeptBack };
}

/** Allows rows to start within the caps of the map. */
export function allowRows(
  budget: Budget,
  settled: Ended,
  open: readonly OpenPage[],
  nextRowCount: number | null,
): Allowance {
  const { spent, reserved } = standOf(budget, settled, open);
  const { rows, cap } = affordable(budget, plus(spent, reserved));
  const { isKeptBack, ...allowed } = allowMore(rows, open, nextRowCount);
  return { ...allowed, keptBackBy: isKeptBack ? cap : null };
}
