// The rows that a shared call hands on: all that fit, in turn from each map, and those that want to leave before all others.
import type { Waiter } from '../../contracts/shared-call';
import { WaitingRows } from '../../workflows/waiting-rows';

const rowsOf = (map: string, count: number): Waiter[] =>
  Array.from({ length: count }, (_, n) => ({ workflowId: `${map}/r/k:${n}`, runId: `run-${n}`, call: 0 }));
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const mapsOf = (waiters: Waiter[]): string[] => waiters.map(({ workflowId }) => workflowId.slice(0, 1));

test('all rows are handed on as they came while they fit', () => {
  const rows = [...rowsOf('a', 3), ...rowsOf('b', 2)];
  expect(new WaitingRows(rows).handedOn(10_000)).toEqual({ waiters: rows });
});

test('of rows that do not fit every map keeps some, and the message is never larger than it may be', () => {
  const rows = new WaitingRows([...rowsOf('a', 5000), ...rowsOf('b', 2)]);
  const { waiters } = rows.handedOn(10_000);
  expect(bytesOf(waiters)).toBeLessThanOrEqual(10_000);
  expect(waiters.length).toBeGreaterThan(100);
  expect(mapsOf(waiters).slice(0, 5)).toEqual(['a', 'b', 'a', 'b', 'a']);
});

test('rows that want to leave go on wanting it, and are told that they may', () => {
  const rows = new WaitingRows(rowsOf('a', 2));
  rows.detach({ ...rowsOf('a', 1)[0]!, keeps: true });
  const { waiters, leaving = [] } = rows.handedOn(10_000);
  const next = new WaitingRows(waiters, leaving);
  expect(next.size).toBe(1);
  expect(next.takeLeaving()).toEqual([{ ...rowsOf('a', 1)[0], keeps: true }]);
});

test('a call that is wanted stays wanted, however little fits', () => {
  const rows = new WaitingRows(rowsOf('a', 3));
  rows.detach(rowsOf('a', 1)[0]!);
  expect(rows.handedOn(1)).toMatchObject({ waiters: [{ call: 0 }], leaving: [{ call: 0 }] });
});
