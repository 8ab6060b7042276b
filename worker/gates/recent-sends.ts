// How much was going on when a call left: what a refusal of it tells about limits. Pure, monotonic instants.
import type { GateLoad } from '../../contracts/gate';
import { LOAD_WINDOW_MS } from '../../contracts/limits';

export class RecentSends {
  private sentMs: number[] = [];

  /** A call leaves while `inFlight` others have no answer. */
  send(nowMs: number, inFlight: number): GateLoad {
    const from = this.sentMs.findIndex((atMs) => atMs > nowMs - LOAD_WINDOW_MS);
    this.sentMs = from < 0 ? [] : this.sentMs.slice(from);
    const load = { perSecond: (this.sentMs.length * 1000) / LOAD_WINDOW_MS, inFlight };
    this.sentMs.push(nowMs);
    return load;
  }
}
