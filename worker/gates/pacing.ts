// All windows of one account together, pure: the strictest window decides. All instants are monotonic milliseconds.
import { PACING_RETRY_MS } from '../../contracts/limits';
import type { Allowance } from './gate-types';
import { RateWindow, type Sent, type WindowLimit, withHeirs } from './rate-window';

export class Pacing {
  private windows: RateWindow[];
  /** Units whose permits are out and not sent yet; they count in every window from now on. */
  pending = 0;
  /** Units that were sent, ever, each call with the most that it may use; never less than before, so that what is given back and used again is seen as both. */
  unitsSent = 0;
  /** Units by which calls turned out lighter, ever. They may be used again when the shared gate has heard of them. */
  unitsSettled = 0;
  /** Units of long windows that several workers divide; null = no limit. */
  allowance: Allowance | null = null;

  constructor(limits: readonly WindowLimit[]) {
    this.windows = limits.map((limit) => new RateWindow(limit));
  }

  /** Throws RangeError when a call of `weight` units could never be sent. */
  check(weight: number): void {
    if (!(weight > 0)) throw new RangeError(`call weight: got ${weight}, expected a number above 0`);
    const narrow = this.windows.find(({ rate }) => rate.limit > 0 && weight > rate.limit);
    if (!narrow) return;
    const { limit, perMs } = narrow.rate;
    throw new RangeError(
      `call weight: got ${weight} units, expected at most the ${limit} of the window of ${perMs} ms`,
    );
  }

  /** Earliest instant at which every window fits a call of `weight` units after `before` units that wait ahead of it; ≥ `nowMs`, always finite. */
  fitsAtMs(nowMs: number, weight: number, before = 0): number {
    const ahead = { before, own: weight, pending: this.pending };
    const moreAtMs = this.allowanceLeft() >= before + weight ? nowMs : this.moreAtMs(nowMs);
    return this.windows.reduce((atMs, window) => Math.max(atMs, window.fitsAtMs(nowMs, ahead)), moreAtMs);
  }

  /** Units that all windows admit until `nowMs + withinMs`; Infinity without windows. */
  admits(nowMs: number, withinMs: number): number {
    const left = this.allowanceLeft();
    const soon = left === 0 && this.moreAtMs(nowMs) <= nowMs + withinMs ? 1 : left;
    return Math.min(soon, ...this.windows.map((window) => window.admits(nowMs, withinMs, this.pending)));
  }

  /** A call got its permit: it is counted until it is sent or withdrawn. */
  permit(nowMs: number, weight: number): void {
    this.pending += weight;
    for (const window of this.windows) window.permit(nowMs, weight);
  }

  withdraw(weight: number): void {
    this.settlePending(weight);
    for (const window of this.windows) window.withdraw(weight);
  }

  /** Returns the entries that the call counts in, one a window. */
  send(nowMs: number, weight: number): Sent[] {
    this.settlePending(weight);
    this.unitsSent += weight;
    return this.windows.map((window) => window.send(nowMs, weight));
  }

  /** A call that was sent as these entries turns out to be lighter by `units`, heavier where that is below 0. `isCounted`: it lies in every shared window still. */
  settle(entries: readonly Sent[], units: number, isCounted: boolean): void {
    if (units < 0) this.unitsSent -= units;
    else if (isCounted) this.unitsSettled += units;
    for (const entry of entries.flatMap(withHeirs)) for (const window of this.windows) window.settle(entry, units);
  }

  /** A call that was sent as these entries counts as if it had been sent then, when that is later than what was known. */
  arrived(entries: readonly Sent[], atMs: number): void {
    for (const entry of entries.flatMap(withHeirs)) entry.lastMs = Math.max(entry.lastMs, atMs);
  }

  /** Other limits from now on. A window that stays keeps its spacing. Each new one starts with what the shortest old one that reaches as far back has counted, else the longest. */
  replace(limits: readonly WindowLimit[], nowMs: number): void {
    const old = this.windows.toSorted((a, b) => a.rate.perMs - b.rate.perMs);
    this.windows = limits.map((limit) => {
      const same = old.find(({ rate }) => rate.limit === limit.limit && rate.perMs === limit.perMs);
      if (same) return same;
      const window = new RateWindow(limit);
      const memory = old.find((candidate) => candidate.rate.perMs >= limit.perMs) ?? old.at(-1);
      if (memory) window.inherit(memory, nowMs);
      return window;
    });
  }

  private allowanceLeft(): number {
    if (this.allowance === null) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.allowance.units - this.unitsSent - this.pending);
  }

  private moreAtMs(nowMs: number): number {
    return Math.max(nowMs + PACING_RETRY_MS, this.allowance?.moreAtMs ?? nowMs);
  }

  private settlePending(weight: number): void {
    // Fractions may leave a remainder such as 1e-17, which must not keep a window full for ever.
    this.pending = Math.max(0, this.pending - weight);
    if (this.pending < 1e-9) this.pending = 0;
  }
}
