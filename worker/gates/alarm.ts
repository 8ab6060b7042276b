// One re-armable timer for the next instant at which a gate has to look again.
import { TIMER_CHUNK_MS } from '../../contracts/limits';
import type { GateClock } from './clock';

export class Alarm {
  private stop: (() => void) | null = null;

  constructor(
    private readonly clock: GateClock,
    private readonly ring: () => void,
  ) {}

  /**
   * Rings at the monotonic instant `atMs` or earlier (chunks of a minute, timers that fire early): the receiver looks at the clock itself.
   * Replaces what was set before; Infinity sets nothing. Throws RangeError for NaN, which Node would run as 1 ms for ever.
   */
  set(atMs: number): void {
    if (Number.isNaN(atMs)) throw new RangeError('alarm: got NaN as instant, expected a number');
    this.stop?.();
    this.stop = null;
    if (atMs === Number.POSITIVE_INFINITY) return;
    const remainingMs = Math.max(1, Math.ceil(atMs - this.clock.monotonicMs()));
    this.stop = this.clock.startTimer(Math.min(remainingMs, TIMER_CHUNK_MS), () => {
      this.stop = null;
      this.ring();
    });
  }
}
