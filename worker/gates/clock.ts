// The clock of a gate: the two of an activity and a timer, handed in so that tests can turn them by hand.
import { type Clock, systemClock as clocks } from '../../activities/clock';

/** Instants outside the gate are wall clock; every wait inside is counted on the monotonic one. */
export interface GateClock extends Clock {
  /** Runs once after about `afterMs` (may be 1 ms early); returns how to stop it. */
  startTimer(afterMs: number, run: () => void): () => void;
}

export const systemClock: GateClock = {
  ...clocks,
  startTimer(afterMs, run) {
    const timer = setTimeout(run, afterMs);
    return () => clearTimeout(timer);
  },
};

/** The wall-clock instant, in whole milliseconds and never too early, of a monotonic one. */
export function wallMsAt(clock: GateClock, monotonicMs: number): number {
  return Math.ceil(clock.wallMs() + monotonicMs - clock.monotonicMs());
}
