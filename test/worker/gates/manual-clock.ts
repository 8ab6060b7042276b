// A clock that tests turn by hand: both clocks and every timer move only in `advance`.
import type { GateClock } from '../../../worker/gates/clock';

const START_WALL_MS = Date.UTC(2026, 11, 1);

export class ManualClock implements GateClock {
  private nowMs = 1_000;
  private wallOffsetMs = START_WALL_MS;
  private timers: { atMs: number; run: () => void }[] = [];
  /** Longest time that any timer was asked for. */
  longestTimerMs = 0;

  /** `lateMs`: how late each timer fires. */
  constructor(private readonly lateMs: () => number = () => 0) {}

  wallMs(): number {
    return this.nowMs + this.wallOffsetMs;
  }

  monotonicMs(): number {
    return this.nowMs;
  }

  startTimer(afterMs: number, run: () => void): () => void {
    const timer = { atMs: this.nowMs + afterMs + this.lateMs(), run };
    this.longestTimerMs = Math.max(this.longestTimerMs, afterMs);
    this.timers.push(timer);
    return () => this.drop(timer);
  }

  get timersLeft(): number {
    return this.timers.length;
  }

  /** A step of the wall clock alone. */
  stepWall(byMs: number): void {
    this.wallOffsetMs += byMs;
  }

  /** Runs what is due on the way, in order, and lets promises settle in between. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.nowMs + byMs;
    await settle();
    for (;;) {
      const next = this.timers.reduce((first, timer) => (timer.atMs < first.atMs ? timer : first), NEVER);
      if (next.atMs > endMs) break;
      this.nowMs = Math.max(this.nowMs, next.atMs);
      this.drop(next);
      next.run();
      await settle();
    }
    this.nowMs = endMs;
    await settle();
  }

  sleep(forMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.startTimer(forMs, resolve);
    });
  }

  private drop(timer: { atMs: number; run: () => void }): void {
    this.timers = this.timers.filter((other) => other !== timer);
  }
}

const NEVER = { atMs: Number.POSITIVE_INFINITY, run: () => {} };

/** Lets everything that already resolved run on. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
