// The rows that a shared call will tell: who waits, who wants to leave. A row is in here once, however often it joins.
import { mapOfRow } from '../contracts/ids';
import { type Leaver, type SharedCallInput, type Waiter, waiterId } from '../contracts/shared-call';

/** Rows in turn from each map: should the rows of one map all leave, the call still knows that others want it. */
function inTurn<Row extends Waiter>(rows: readonly Row[]): Row[] {
  const counts = new Map<string, number>();
  const placed = rows.map((row) => {
    const map = mapOfRow(row.workflowId);
    const place = counts.get(map) ?? 0;
    counts.set(map, place + 1);
    return { row, place };
  });
  return placed.sort((a, b) => a.place - b.place).map(({ row }) => row);
}

/** Ids are ASCII. */
const bytesOf = (rows: readonly Waiter[]): number => JSON.stringify(rows).length;

/** Those that fit into so many bytes, but always one: a call without any row is not wanted any more. */
function firstThatFit<Row extends Waiter>(rows: Row[], bytes: number): Row[] {
  if (bytesOf(rows) <= bytes) return rows;
  const fitting: Row[] = [];
  let left = bytes;
  for (const row of inTurn(rows)) {
    left -= bytesOf([row]);
    if (left < 0 && fitting.length > 0) break;
    fitting.push(row);
  }
  return fitting;
}

export class WaitingRows {
  private readonly waiting = new Map<string, Waiter>();
  private readonly leaving = new Map<string, Leaver>();
  /** Signals by which rows joined in this run. */
  joins = 0;

  /** As an earlier run of the call hands them on. */
  constructor(waiting: readonly Waiter[], leaving: readonly Leaver[] = []) {
    for (const waiter of waiting) this.waiting.set(waiterId(waiter), waiter);
    for (const leaver of leaving) this.leaving.set(waiterId(leaver), leaver);
  }

  /** Rows that want the answer. */
  get size(): number {
    return this.waiting.size;
  }

  /** Nobody waits, and nobody wants to be told that it may leave. */
  get isEmpty(): boolean {
    return this.waiting.size + this.leaving.size === 0;
  }

  attach(waiter: Waiter): void {
    this.joins += 1;
    this.keep(waiter);
  }

  /** One that wanted to leave waits on. */
  keep(waiter: Waiter): void {
    this.leaving.delete(waiterId(waiter));
    this.waiting.set(waiterId(waiter), waiter);
  }

  detach(waiter: Leaver): void {
    this.waiting.delete(waiterId(waiter));
    this.leaving.set(waiterId(waiter), waiter);
  }

  /** Takes out those that want to leave. */
  takeLeaving(): Leaver[] {
    const rows = [...this.leaving.values()];
    this.leaving.clear();
    return rows;
  }

  /** Takes out up to `count` rows that are to hear of the end, those that wait before those that wanted to leave. */
  take(count: number): Waiter[] {
    const taken = [...this.waiting.values(), ...this.leaving.values()].slice(0, count);
    for (const waiter of taken) {
      this.waiting.delete(waiterId(waiter));
      this.leaving.delete(waiterId(waiter));
    }
    return taken;
  }

  /** What the next run has to know, in about so many bytes of JSON. Rows that are left out hear nothing, so they ask again. */
  handedOn(bytes: number): Pick<SharedCallInput, 'waiters' | 'leaving'> {
    const leaving = firstThatFit([...this.leaving.values()], bytes);
    const waiters = firstThatFit([...this.waiting.values()], bytes - bytesOf(leaving));
    return { waiters, ...(leaving.length > 0 ? { leaving } : {}) };
  }
}
