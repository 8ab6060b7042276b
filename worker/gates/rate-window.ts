// One window of a provider's limit, pure: what was sent, when the next call fits, how many fit soon. All instants are monotonic milliseconds.
import {
  CATCH_UP,
  EVEN_SAFETY,
  EVEN_WINDOW_MS,
  MAX_WINDOW_SAFETY_MS,
  WINDOW_ENTRIES,
  WINDOW_SAFETY,
} from '../../contracts/limits';

/** At most `limit` units (≥ 0, 0 = none) in any `perMs` (> 0), wherever the provider lets the window begin. */
export interface WindowLimit {
  limit: number;
  perMs: number;
}

/** Calls counted together, as if all had been sent at `lastMs`. */
export interface Sent {
  firstMs: number;
  lastMs: number;
  weight: number;
  /** The same calls in the windows that took over from this one. */
  heirs: Sent[];
}

/** Everywhere that calls count which were sent as this entry. */
export const withHeirs = (entry: Sent): Sent[] => [entry, ...entry.heirs.flatMap(withHeirs)];

/**
 * A sliding log: a call is counted from its permit until `perMs` and a safety after it was sent, so no placement of the window holds more than `limit`.
 * Above WINDOW_ENTRIES units, calls closer together than `resolutionMs` share an entry and count until the youngest leaves: never above, below by 1/WINDOW_ENTRIES.
 * Short windows also space their calls: a call moves `evenAtMs` on by its share, and may be ahead of it by `catchUpMs`.
 */
export class RateWindow {
  private readonly spanMs: number;
  private readonly resolutionMs: number;
  private readonly intervalMs: number;
  private readonly catchUpMs: number;
  private evenAtMs = Number.NEGATIVE_INFINITY;
  private sent: Sent[] = [];
  private sentWeight = 0;

  constructor(readonly rate: WindowLimit) {
    const { limit, perMs } = rate;
    if (!(limit >= 0 && Number.isFinite(limit) && perMs > 0 && Number.isFinite(perMs))) {
      throw new RangeError(`rate window: got ${limit} per ${perMs} ms, expected limit ≥ 0 and per > 0, both finite`);
    }
    this.spanMs = perMs + Math.min(WINDOW_SAFETY * perMs, MAX_WINDOW_SAFETY_MS);
    this.resolutionMs = limit > WINDOW_ENTRIES ? this.spanMs / WINDOW_ENTRIES : 0;
    const even = perMs <= EVEN_WINDOW_MS && limit > 0;
    this.intervalMs = even ? (perMs + Math.min(EVEN_SAFETY * perMs, MAX_WINDOW_SAFETY_MS)) / limit : 0;
    this.catchUpMs = even ? CATCH_UP * perMs : 0;
  }

  /** Earliest instant at which the next call fits once `ahead` units (this call included) and `pending` ones have gone; never before `nowMs`. */
  fitsAtMs(nowMs: number, ahead: { before: number; own: number; pending: number }): number {
    this.forget(nowMs);
    const evenMs = Math.max(this.evenAtMs, nowMs) + ahead.before * this.intervalMs - this.catchUpMs;
    return Math.max(nowMs, evenMs, this.roomAtMs(nowMs, ahead.before + ahead.own + ahead.pending));
  }

  /** Units that fit until `nowMs + withinMs`, `pending` ones taken off; an estimate from above where the window turns over meanwhile. */
  admits(nowMs: number, withinMs: number, pending: number): number {
    this.forget(nowMs);
    const rounds = Math.floor(withinMs / this.spanMs);
    const lastRoundEndMs = nowMs + withinMs - rounds * this.spanMs;
    let busy = this.sentWeight + pending;
    for (const entry of this.sent) {
      if (entry.lastMs + this.spanMs > lastRoundEndMs) break;
      busy -= entry.weight;
    }
    const room = this.rate.limit * (rounds + 1) - busy;
    if (this.intervalMs === 0) return Math.max(0, room);
    const evenMs = Math.max(this.evenAtMs, nowMs) - this.catchUpMs;
    return Math.max(0, Math.min(room, Math.floor((nowMs + withinMs - evenMs) / this.intervalMs) + 1));
  }

  /** A permit was given: the next call is spaced from it. */
  permit(nowMs: number, weight: number): void {
    this.evenAtMs = Math.max(this.evenAtMs, nowMs) + weight * this.intervalMs;
  }

  /** A permit came back unused. */
  withdraw(weight: number): void {
    this.evenAtMs -= weight * this.intervalMs;
  }

  /** The call leaves now. Returns the entry that it counts in: when it turns out to have arrived later, its `lastMs` is moved on. */
  send(nowMs: number, weight: number): Sent {
    this.forget(nowMs);
    this.sentWeight += weight;
    const youngest = this.sent.at(-1);
    if (youngest && nowMs - youngest.firstMs < this.resolutionMs) {
      youngest.lastMs = Math.max(youngest.lastMs, nowMs);
      youngest.weight += weight;
      return youngest;
    }
    const entry: Sent = { firstMs: nowMs, lastMs: nowMs, weight, heirs: [] };
    this.sent.push(entry);
    return entry;
  }

  /** A call that was counted in this entry turns out to be lighter by `units`, heavier where that is below 0. One that has left the window counts no more. */
  settle(entry: Sent, units: number): void {
    if (!this.sent.includes(entry)) return;
    entry.weight -= units;
    this.sentWeight -= units;
  }

  /** Takes over what another window remembers, for a limit that is replaced while calls count. */
  inherit(from: RateWindow, nowMs: number): void {
    this.sent = from.sent
      .filter(({ lastMs }) => nowMs < lastMs + this.spanMs)
      .map((entry) => {
        const heir: Sent = { ...entry, heirs: [] };
        entry.heirs.push(heir);
        return heir;
      });
    this.sentWeight = this.sent.reduce((sum, { weight }) => sum + weight, 0);
  }

  private roomAtMs(nowMs: number, wanted: number): number {
    if (this.rate.limit === 0) return nowMs + this.spanMs;
    let excess = this.sentWeight + wanted - this.rate.limit;
    if (excess <= 0) return nowMs;
    // Entries that were moved on may be out of order by a little: room is there when all of them have left.
    let lastMs = nowMs - this.spanMs;
    for (const entry of this.sent) {
      lastMs = Math.max(lastMs, entry.lastMs);
      excess -= entry.weight;
      if (excess <= 0) return lastMs + this.spanMs;
    }
    // More than a whole window is waiting ahead, or permits that have not been sent yet: at best they all leave now.
    return nowMs + this.spanMs * Math.ceil(excess / this.rate.limit);
  }

  private forget(nowMs: number): void {
    while (this.sent[0] && this.sent[0].lastMs + this.spanMs <= nowMs) this.sentWeight -= this.sent.shift()!.weight;
    if (this.sent.length === 0) this.sentWeight = 0;
  }
}
