// How a map deals its room out: examples, and pages whose signals are late and out of order.
import fc from 'fast-check';
import { noCountTable, noRowCounts } from '../../contracts/counting';
import type { PageReport, Room } from '../../contracts/results';
import { dealRoom, type OpenPage, openedPage, type RoomLimits, withReport } from '../../workflows/room';
import { endOne, fill, parkOne, RoomSimulation } from './fixtures/room-simulation';

const limits = (rows: number, parkedRows = 0): RoomLimits => ({ rows, parkedRows });

const report = (page: number, roomVersion: number, open: number, notStarted: number, parked = 0): PageReport => ({
  page,
  roomVersion,
  open,
  notStarted,
  parked,
  rows: noRowCounts(),
  counts: noCountTable(),
});

test('a page gets what it can use, the next one the rest', () => {
  const first = dealRoom(limits(10, 5), [], 6);
  expect(first.next).toEqual({ version: 0, rows: 6, parkedRows: 5 });
  const second = dealRoom(limits(10, 5), [openedPage(0, 6, first.next as Room)], 20);
  expect(second.next).toEqual({ version: 0, rows: 4, parkedRows: 0 });
});

test('the next page opens with what a page near its end cannot use any more, and that page is told nothing', () => {
  const page = withReport(openedPage(0, 250, { version: 0, rows: 10, parkedRows: 0 }), report(0, 0, 4, 0));
  const dealt = dealRoom(limits(10), [page], 250);
  expect(dealt.next).toMatchObject({ rows: 6 });
  expect(dealt.changed).toEqual([]);
});

test('lower limits reach the last pages first, and nothing is given out before they have confirmed', () => {
  const open = [0, 1].map((page) => openedPage(page, 250, { version: 0, rows: 5, parkedRows: 0 }));
  const lowered = dealRoom(limits(4), open, null);
  expect(lowered.changed.map(({ page, room }) => [page, room])).toEqual([
    [0, { version: 1, rows: 4, parkedRows: 0 }],
    [1, { version: 1, rows: 0, parkedRows: 0 }],
  ]);
  expect(dealRoom(limits(8), lowered.pages, 250)).toMatchObject({ changed: [], next: null });
});

test('a confirmed lower room is free for others', () => {
  const lowered = dealRoom(limits(4), [openedPage(0, 250, { version: 0, rows: 10, parkedRows: 0 })], null);
  const [page] = lowered.pages as [OpenPage];
  const early = withReport(page, report(0, 0, 2, 6));
  expect(dealRoom(limits(12), [early], 250).next).toMatchObject({ rows: 2 });
  const confirmed = withReport(page, report(0, 1, 2, 6));
  expect(dealRoom(limits(12), [confirmed], 250).next).toMatchObject({ rows: 4 });
});

test('limits that are taken back give a page its old room at once', () => {
  const { pages } = dealRoom(limits(2), [openedPage(0, 250, { version: 0, rows: 10, parkedRows: 0 })], null);
  expect(dealRoom(limits(10), pages, null).changed).toMatchObject([{ room: { version: 2, rows: 10 } }]);
});

test('a report that was overtaken by a later one is not taken in', () => {
  const page = withReport(openedPage(0, 250, { version: 0, rows: 10, parkedRows: 5 }), report(0, 0, 3, 0, 1));
  expect(withReport(page, report(0, 0, 5, 0, 0))).toBe(page);
  expect(withReport(page, report(0, 0, 3, 0, 2))).toBe(page);
});

const at = fc.nat({ max: 20 });
const full = fc.record({ rows: fc.integer({ min: 2, max: 8 }), parkedRows: fc.integer({ min: 0, max: 6 }) });
const anyPages = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 5 });
type Act = (simulation: RoomSimulation, at: number) => void;
const step = (act: Act, weight = 1) => ({ weight, arbitrary: at.map((n): [Act, number] => [act, n]) });
const work = [
  step((one, n) => one.deliverRoom(n), 3),
  step((one, n) => one.deliverReport(n), 3),
  step((one, n) => one.report(n), 3),
  step((one, n) => one.onPage(n, fill), 3),
  step((one, n) => one.onPage(n, endOne), 3),
  step((one, n) => one.onPage(n, parkOne), 2),
];
/** Between the full limits and a part of them, so that room is taken back and dealt out anew all the time. */
const changes = [0.2, 0.5, 1, 1].map((part) => step((one) => one.setPart(part)));
const steps = fc.array(fc.oneof(...work, ...changes), { minLength: 20, maxLength: 150 });

function simulate(first: RoomLimits, pageRows: number[], todo: [Act, number][]): RoomSimulation {
  const simulation = new RoomSimulation(first, pageRows, (page, { room, open, notStarted, parked }) =>
    report(page, room.version, open, notStarted, parked),
  );
  for (const [act, n] of todo) act(simulation, n);
  return simulation;
}

test('dealing never lets more rows be open or parked than the limits and than before, however late signals and reports come', () => {
  fc.assert(
    fc.property(full, anyPages, steps, (first, pageRows, todo) => {
      expect(simulate(first, pageRows, todo).excess).toEqual({ rows: 0, parkedRows: 0 });
    }),
    { numRuns: 1500 },
  );
});

test('whatever happened before, every row gets its turn once the signals arrive', () => {
  fc.assert(
    fc.property(full, anyPages, steps, (first, pageRows, todo) => {
      const simulation = simulate(first, pageRows, todo);
      for (let turn = 0; turn < 200 && simulation.left() > 0; turn++) simulation.turn();
      expect(simulation.left()).toBe(0);
    }),
    { numRuns: 500 },
  );
});
