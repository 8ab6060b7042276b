// What a map with caps lets start: never more than the dearest case may cost, and more again when rows came cheaper.
import { noCounters, noRowCounts } from '../../contracts/counting';
import type { Budget } from '../../contracts/map-limits';
import type { Counters, PageReport, RowCounts } from '../../contracts/results';
import { allowRows, budgetOf } from '../../workflows/budget';
import { type OpenPage, openedPage } from '../../workflows/room';

const budget = (caps: Partial<Budget['caps']>, own: Partial<Budget> = {}): Budget => ({
  caps: { maxCalls: null, maxCost: null, ...caps },
  leastPerRow: { calls: 1, cost: 0.1 },
  perRow: { calls: 2, cost: 0.3 },
  ...own,
});
const ended = (rows: Partial<RowCounts>, column: Partial<Counters>) => ({
  rows: { ...noRowCounts(), ...rows },
  counts: { columns: { firm: { ...noCounters(), ...column } }, providers: {} },
});
const nothing = ended({}, {});
const page = (rowCount: number, mayStart?: number, report?: ReturnType<typeof ended>): OpenPage => ({
  ...openedPage(0, rowCount, { version: 0, rows: 50, parkedRows: 0, ...(mayStart === undefined ? {} : { mayStart }) }),
  report: report ? ({ page: 0, roomVersion: 0, open: 0, parked: 0, notStarted: 0, ...report } as PageReport) : null,
});

test('the first page starts only as many rows as the cap pays at their dearest', () => {
  expect(allowRows(budget({ maxCost: 1 }), nothing, [], 250)).toMatchObject({ next: 3, keptBackBy: null });
  expect(allowRows(budget({ maxCalls: 9 }), nothing, [], 250)).toMatchObject({ next: 4 });
  expect(allowRows(budget({ maxCalls: 9, maxCost: 1 }), nothing, [], 250)).toMatchObject({ next: 3 });
});

test('amounts that only look unequal in binary fit: 0.1 three times into 0.3', () => {
  const dime = { perRow: { calls: 1, cost: 0.1 } };
  expect(allowRows(budget({ maxCost: 0.3 }, dime), nothing, [], 250)).toMatchObject({ next: 3 });
});

test('without a cap a page starts all its rows, and so does one whose rows cost nothing', () => {
  expect(allowRows(budget({}), nothing, [], 250)).toMatchObject({ next: 250, keptBackBy: null });
  const free = { perRow: { calls: 1, cost: 0 } };
  expect(allowRows(budget({ maxCost: 1 }, free), nothing, [], 250)).toMatchObject({ next: 250 });
});

test('rows that came cheaper let further ones start, in the page that waits first', () => {
  const cheap = ended({ done: 3 }, { executed: 3, cost: 0.3 });
  const { pages, raised, next, keptBackBy } = allowRows(budget({ maxCost: 1 }), nothing, [page(10, 3, cheap)], 250);
  expect(pages[0]?.room).toMatchObject({ version: 1, mayStart: 5 });
  expect({ raised, next, keptBackBy }).toEqual({ raised: [0], next: 0, keptBackBy: 'maxCost' });
});

test('as long as rows are under way the whole of their reservation is kept', () => {
  const two = ended({ done: 2 }, { executed: 2, cost: 0.2 });
  const allowed = allowRows(budget({ maxCost: 1 }), nothing, [page(10, 3, two)], 250);
  expect(allowed.pages[0]?.room.mayStart).toBe(4); // 0.2 spent, 0.3 reserved for the third row, 0.5 left for one more
});

test('a refused call counts as a call, and a row whose outcome is unknown keeps its reservation', () => {
  const bad = ended({ failed: 1, unknown: 1 }, { failed: 1, unknown: 1 });
  expect(budgetOf(budget({ maxCalls: 9 }), bad, [], 10)).toMatchObject({ spent: { calls: 3, cost: 0.3 } });
});

test('a job that was charged and failed is one call, not two', () => {
  const charged = ended({ failed: 1 }, { executed: 1, failed: 1, cost: 0.3 });
  Object.assign(charged.counts, { failedBesides: 1 });
  expect(budgetOf(budget({ maxCalls: 9 }), charged, [], 10)).toMatchObject({ spent: { calls: 1, cost: 0.3 } });
});

test('a reused answer costs nothing', () => {
  const reused = ended({ done: 5 }, { reused: 4, attached: 1 });
  expect(budgetOf(budget({ maxCalls: 9 }), reused, [], 10)).toMatchObject({ spent: { calls: 0, cost: 0 } });
});

test('raised by nobody, a lowered cap takes nothing back', () => {
  const allowed = allowRows(budget({ maxCost: 0.1 }), nothing, [page(10)], null);
  expect(allowed).toMatchObject({ raised: [], next: 0, keptBackBy: null });
  expect(allowed.pages[0]?.room.mayStart).toBeUndefined();
});
