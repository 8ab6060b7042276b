// The two clocks and the one timer of a gate, handed in so that tests can turn them by hand.

export interface GateClock {
  /** Local wall clock: what instants outside the gate are given in. May step. */
  wallMs(): number;
  /** Never steps back: what every wait inside the gate is counted on. */
  monotonicMs(): number;
  /** Runs once after about `afterMs` (may be 1 ms early); returns how to stop it. */
  startTimer(afterMs: number, run: () => void): () => void;
}

export const systemClock: GateClock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  startTimer(afterMs, run) {
    const timer = setTimeout(run, afterMs);
    return () => clearTimeout(timer);
  },
};

/** The wall-clock instant, in whole milliseconds and never too early, of a monotonic one. */
export function wallMsAt(clock: GateClock, monotonicMs: number): number {
  return Math.ceil(clock.wallMs() + monotonicMs - clock.monotonicMs());
}
