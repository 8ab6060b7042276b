// The rows that a shared call will tell: who waits, who wants to leave. A row is in here once, however often it joins.
import { type Leaver, type Waiter, waiterId } from '../contracts/shared-call';

export class WaitingRows {
  private readonly waiting = new Map<string, Waiter>();
  private readonly leaving = new Map<string, Leaver>();
  /** Signals by which rows joined in this run. */
  joins = 0;

  constructor(earlier: readonly Waiter[]) {
    for (const waiter of earlier) this.waiting.set(waiterId(waiter), waiter);
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

  /** All that the next run has to tell. */
  all(): Waiter[] {
    return [...this.waiting.values(), ...this.leaving.values()];
  }
}
