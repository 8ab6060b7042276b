// Whatever rows cost, and however late a map hears of them: it never buys more than its caps, and never stops before it has to.
import fc from 'fast-check';
import { noCounters, noRowCounts } from '../../contracts/counting';
import type { Budget, Spend } from '../../contracts/map-limits';
import type { AdmittedRow } from '../../contracts/plan';
import type { PageReport, Room } from '../../contracts/results';
import { allowRows } from '../../workflows/budget';
import { PageRows } from '../../workflows/page-rows';
import { type OpenPage, openedPage, withReport } from '../../workflows/room';

const PER_ROW: Spend = { calls: 3, cost: 0.3 };
const NOTHING = { rows: noRowCounts(), counts: { columns: {}, providers: {} } };
const rowsOf = (count: number): AdmittedRow[] =>
  Array.from({ length: count }, (_, ordinal) => ({ identity: `k:${ordinal}`, ordinal, line: ordinal + 1, input: {} }));

/** One page of a map, whose reports and rooms travel and arrive in order, whenever `arrive` is called. */
class Simulation {
  private readonly rows: PageRows;
  private page: OpenPage;
  private readonly reports: PageReport[] = [];
  private readonly rooms: Room[] = [];
  private readonly open: string[] = [];
  private readonly ended = { ...noRowCounts() };
  private readonly bought = noCounters();

  constructor(
    private readonly budget: Budget,
    count: number,
    /** Calls of the next row that ends, from 0 to 3. */
    private readonly cost: () => number,
  ) {
    const { next } = allowRows(budget, NOTHING, [], count);
    const room: Room = { version: 0, rows: 5, parkedRows: 0, ...(next < count ? { mayStart: next } : {}) };
    this.page = openedPage(0, count, room);
    this.rows = new PageRows(room);
    this.rows.load(next === 0 ? [] : rowsOf(count));
  }

  /** Calls bought, and those that open rows may still buy. */
  get worst(): number {
    return this.bought.executed + this.open.length * PER_ROW.calls;
  }
  get calls(): number {
    return this.bought.executed;
  }
  get isDone(): boolean {
    return this.rows.notStarted === 0 && this.open.length === 0;
  }

  private report(): void {
    if (!this.rows.takeReportDue()) return;
    const { open, parked, notStarted, room } = this.rows;
    const counts = { columns: { firm: { ...this.bought } }, providers: {} };
    this.reports.push({
      page: 0,
      roomVersion: room.version,
      open,
      parked,
      notStarted,
      rows: { ...this.ended },
      counts,
    });
  }
  start(): boolean {
    const batch = this.rows.takeBatch(0, ({ identity }) => identity, 10);
    this.open.push(...batch.map(({ identity }) => identity));
    this.report();
    return batch.length > 0;
  }
  end(): boolean {
    const identity = this.open.shift();
    if (identity === undefined) return false;
    this.rows.close(identity);
    this.ended.done += 1;
    this.bought.executed += this.cost();
    this.report();
    return true;
  }
  arrive(): boolean {
    const room = this.rooms.shift();
    if (room) this.rows.setRoom(room);
    this.report();
    const report = this.reports.shift();
    if (report) {
      this.page = withReport(this.page, report);
      const { pages, raised } = allowRows(this.budget, NOTHING, [this.page], null);
      this.page = pages[0] as OpenPage;
      if (raised.length > 0) this.rooms.push(this.page.room);
    }
    return room !== undefined || report !== undefined;
  }
}

test('a map never exceeds its cap, not even at the dearest, and stops only when one more row may exceed it', () => {
  const steps = fc.array(fc.constantFrom('start', 'end', 'arrive'), { maxLength: 80 });
  const costs = fc.array(fc.integer({ min: 0, max: PER_ROW.calls }), { minLength: 1, maxLength: 40 });
  const count = fc.integer({ min: 1, max: 40 });
  const cap = fc.integer({ min: 3, max: 130 });
  fc.assert(
    fc.property(steps, costs, count, cap, (order, prices, rows, maxCalls) => {
      const budget: Budget = { caps: { maxCalls, maxCost: null }, perRow: PER_ROW, leastPerRow: PER_ROW };
      let next = 0;
      const map = new Simulation(budget, rows, () => prices[next++ % prices.length] as number);
      for (const step of order) {
        map[step as 'start' | 'end' | 'arrive']();
        expect(map.worst).toBeLessThanOrEqual(maxCalls);
      }
      while (map.start() || map.end() || map.arrive()) expect(map.worst).toBeLessThanOrEqual(maxCalls);
      if (!map.isDone) expect(maxCalls - map.calls).toBeLessThan(PER_ROW.calls);
    }),
  );
});
