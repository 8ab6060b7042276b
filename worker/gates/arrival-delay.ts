// How late a request may have reached its provider, from what its answer took; pure.
import { COLD_ANSWERS, MAX_ARRIVAL_DELAY_MS } from '../../contracts/limits';

/**
 * Providers count a request when it arrives, we when it leaves. What a round trip took longer than the fastest one may have been
 * lost on the way there, so the call is counted that much later. Bounded, because a slow answer mostly means a slow provider.
 */
export class ArrivalDelay {
  private fastestMs = Number.POSITIVE_INFINITY;
  private answers = 0;

  /** Milliseconds to add to the instant at which the request left; from 0 to MAX_ARRIVAL_DELAY_MS. */
  after(roundTripMs: number): number {
    this.answers += 1;
    const excessMs = this.answers <= COLD_ANSWERS ? MAX_ARRIVAL_DELAY_MS : roundTripMs - this.fastestMs;
    this.fastestMs = Math.min(this.fastestMs, roundTripMs);
    return Math.min(MAX_ARRIVAL_DELAY_MS, Math.max(0, excessMs));
  }
}
