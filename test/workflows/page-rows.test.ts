// The open rows of a page: what may start, what parks, and when the map hears of it.
import type { AdmittedRow } from '../../contracts/plan';
import type { Room } from '../../contracts/results';
import { PageRows } from '../../workflows/page-rows';

const room = (rows: number, parkedRows = 0, version = 0): Room => ({ version, rows, parkedRows });
const admitted = (count: number): AdmittedRow[] =>
  Array.from({ length: count }, (_, ordinal) => ({ identity: `k:${ordinal}`, ordinal, line: ordinal + 2, input: {} }));

function page(count: number, its: Room): PageRows {
  const rows = new PageRows(its);
  rows.load(admitted(count));
  return rows;
}
const take = (rows: PageRows, nowMs = 0, planBytes = 100) =>
  rows.takeBatch(nowMs, ({ identity }) => identity, planBytes).map(({ ordinal }) => ordinal);

test('rows start in order, as many as the room has', () => {
  const rows = page(5, room(2));
  expect(take(rows)).toEqual([0, 1]);
  expect(take(rows)).toEqual([]);
  rows.close('k:0');
  expect(take(rows)).toEqual([2]);
  expect({ open: rows.open, notStarted: rows.notStarted }).toEqual({ open: 2, notStarted: 2 });
});

test('one batch holds at most 100 rows and 1 MiB, but always one row', () => {
  expect(take(page(250, room(250)))).toHaveLength(100);
  expect(take(page(250, room(250)), 0, 64 * 1024)).toHaveLength(15);
  expect(take(page(2, room(2)), 0, 2 * 1024 * 1024)).toEqual([0]);
});

test('a row that is open for long counts as parked, so that others may start', () => {
  const rows = page(5, room(2, 1));
  take(rows, 1000);
  expect(rows.nextParkingMs(30_000)).toBe(31_000);
  rows.park(30_999, 30_000);
  expect(rows.parked).toBe(0);
  rows.park(31_000, 30_000);
  expect({ open: rows.open, parked: rows.parked }).toEqual({ open: 1, parked: 1 });
  expect(take(rows)).toEqual([2]);
  expect(rows.nextParkingMs(30_000)).toBeNull();
});

test('without room for parked rows nothing parks', () => {
  const rows = page(5, room(2, 0));
  take(rows);
  expect(rows.nextParkingMs(30_000)).toBeNull();
  rows.park(1e9, 30_000);
  expect({ open: rows.open, parked: rows.parked, startable: rows.startable }).toEqual({
    open: 2,
    parked: 0,
    startable: 0,
  });
});

test('a page tells once that its first rows have started, that its open rows fell below half, below a tenth', () => {
  const rows = page(20, room(20));
  take(rows);
  expect([rows.takeReportDue(), rows.takeReportDue()]).toEqual([true, false]);
  const dueAt: number[] = [];
  for (let ordinal = 0; ordinal < 20; ordinal++) {
    rows.close(`k:${ordinal}`);
    if (rows.takeReportDue()) dueAt.push(rows.open);
  }
  expect(dueAt).toEqual([9, 1]);
});

test('rows that can still start keep a page from telling that it needs less', () => {
  const rows = page(100, room(20));
  take(rows);
  rows.takeReportDue();
  for (let ordinal = 0; ordinal < 20; ordinal++) rows.close(`k:${ordinal}`);
  expect(rows.takeReportDue()).toBe(false);
});

test('a lowered room is confirmed when the page fits into it, once', () => {
  const rows = page(10, room(3));
  take(rows);
  rows.takeReportDue();
  rows.setRoom(room(1, 0, 1));
  rows.close('k:0');
  expect(rows.takeReportDue()).toBe(false);
  expect(take(rows)).toEqual([]);
  rows.close('k:1');
  expect([rows.takeReportDue(), rows.takeReportDue()]).toEqual([true, false]);
  rows.close('k:2');
  expect(take(rows)).toEqual([3]);
});

test('a room that came late does not undo a newer one', () => {
  const rows = page(10, room(5));
  rows.setRoom(room(1, 0, 2));
  rows.setRoom(room(9, 0, 1));
  expect(rows.room).toEqual(room(1, 0, 2));
});

test('a page that has not read its rows yet tells nothing, and confirms its room afterwards', () => {
  const rows = new PageRows(room(5));
  rows.setRoom(room(2, 0, 1));
  expect(rows.takeReportDue()).toBe(false);
  rows.load(admitted(10));
  expect(rows.takeReportDue()).toBe(true);
  expect(take(rows)).toEqual([0, 1]);
});

test('after a cancel the rest is taken once, and nothing starts any more', () => {
  const rows = page(4, room(2));
  take(rows);
  expect(rows.takeRest().map(({ ordinal }) => ordinal)).toEqual([2, 3]);
  expect(rows.takeRest()).toEqual([]);
  rows.close('k:0');
  expect(take(rows)).toEqual([]);
});
