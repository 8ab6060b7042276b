// When a provider is closed whatever its limits say: scheduled beforehand or by the control interface.
import type { Closing, ScheduledClosing } from './options';

/** A closing that is in force. `closing` counts the closings of its provider from 1. */
export interface OpenClosing {
  closing: number;
  remainingMs: number;
  options: Closing;
}

interface Known {
  options: Closing;
  atRequest: number | undefined;
  afterMs: number | undefined;
  /** Not known before the trigger. */
  untilMs: number | undefined;
}

/** The closings of one provider; all instants are on one monotonic clock. */
export class Closings {
  private readonly known: Known[];

  constructor(scheduled: readonly ScheduledClosing[]) {
    this.known = scheduled.map(({ atRequest, afterMs, ...options }) => ({
      options,
      atRequest,
      afterMs,
      untilMs: undefined,
    }));
  }

  /** Closes from now on; returns the number that the ledger will show. */
  close(options: Closing, nowMs: number): number {
    const untilMs = nowMs + options.durationMs;
    return this.known.push({ options, atRequest: undefined, afterMs: undefined, untilMs });
  }

  /** Ends every closing that has begun. */
  open(nowMs: number): void {
    for (const one of this.known) if (one.untilMs !== undefined) one.untilMs = Math.min(one.untilMs, nowMs);
  }

  /** The closing that meets this arrival, the one that lasts longest if several do. `arrival` counts from 1. */
  meet(arrival: number, firstArrivalMs: number, nowMs: number): OpenClosing | undefined {
    let longest: OpenClosing | undefined;
    for (const [index, one] of this.known.entries()) {
      trigger(one, arrival, firstArrivalMs, nowMs);
      const remainingMs = (one.untilMs ?? nowMs) - nowMs;
      if (remainingMs > (longest?.remainingMs ?? 0))
        longest = { closing: index + 1, remainingMs, options: one.options };
    }
    return longest;
  }
}

/** A time trigger counts from its planned instant, so a closing that nobody met is over all the same. */
function trigger(one: Known, arrival: number, firstArrivalMs: number, nowMs: number): void {
  if (one.untilMs !== undefined) return;
  const { durationMs } = one.options;
  if (one.atRequest !== undefined && arrival >= one.atRequest) one.untilMs = nowMs + durationMs;
  if (one.afterMs === undefined) return;
  const fromMs = firstArrivalMs + one.afterMs;
  if (nowMs >= fromMs) one.untilMs = fromMs + durationMs;
}
