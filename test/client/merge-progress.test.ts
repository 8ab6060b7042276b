// Totals of a map from its finished pages and the answers of its open ones.
import { mergeProgress } from '../../client/merge-progress';
import { cardinality, inColumn, mapProgress, pageProgress, rowCounts } from './fixtures/figures';

const openPages = [
  { page: 1, workflowId: 'm/p1', report: pageProgress({ open: 7, parked: 2, rows: rowCounts({ done: 11 }) }) },
  { page: 2, workflowId: 'm/p2', report: null },
];

const map = mapProgress({
  cardinality: cardinality(500),
  settled: { rows: rowCounts({ done: 249, failed: 1 }), counts: inColumn('firm', { executed: 250, cost: 5 }) },
  rows: rowCounts({ done: 260, failed: 1 }),
  open: 7,
  parked: 2,
  notStarted: 230,
  openPages,
});

test('finished pages and exact answers add up, and what is left has not started', () => {
  const pages = [
    pageProgress({
      open: 20,
      parked: 3,
      rows: rowCounts({ done: 30 }),
      counts: inColumn('firm', { executed: 30, cost: 0.6 }),
    }),
    pageProgress({ open: 10, rows: rowCounts({ missed: 2 }), counts: inColumn('firm', { missed: 2 }) }),
  ];
  const totals = mergeProgress(map, pages);
  expect(totals).toMatchObject({ exact: true, total: 500, ended: 282, open: 30, parked: 3, notStarted: 185 });
  expect(totals.rows).toEqual(rowCounts({ done: 279, missed: 2, failed: 1 }));
  expect(totals.counts.columns.firm).toMatchObject({ executed: 280, missed: 2, cost: 5.6 });
  expect(totals.ended + totals.open + totals.parked + totals.notStarted).toBe(500);
});

test('a page that gives no answer is counted as of its last report, which is said', () => {
  expect(mergeProgress(map, [null, null])).toMatchObject({
    exact: false,
    ended: 261,
    open: 7,
    parked: 2,
    notStarted: 230,
  });
});

test('an answer that is older than the last report does not take ended rows back', () => {
  const older = pageProgress({ open: 10, rows: rowCounts({ done: 8 }) });
  expect(mergeProgress(map, [older, pageProgress()])).toMatchObject({ exact: true, ended: 261 });
});

test('a map that is still being admitted has no total', () => {
  expect(mergeProgress(mapProgress({ cardinality: null, state: 'admitting' }), [])).toMatchObject({
    total: null,
    notStarted: 0,
  });
});

test('the figures of the map itself are not changed', () => {
  const before = structuredClone(map);
  mergeProgress(map, [pageProgress({ rows: rowCounts({ done: 5 }) }), pageProgress()]);
  expect(map).toEqual(before);
});
