// Calls that hold a permit, and how many more may get one: concurrency, and after a reopening the ramp. Pure.
import { PROBE, type Ramp, rampAfterSuccess } from './ramp';

export class InFlight {
  /** Every call that holds a permit. */
  total = 0;
  /** Null = normal; set at each closing for the reopening after it. */
  ramp: Ramp = null;
  /** Of the total, sent since the last reopening: only they are held back by the ramp, not by a call that hangs since before. */
  private sinceReopening = 0;

  /** `generation`: closings so far, as in ClosingState. */
  constructor(private generation: number) {}

  /** A call gets a permit; returns the generation that it belongs to. */
  start(): number {
    this.total += 1;
    this.sinceReopening += 1;
    return this.generation;
  }

  end(generation: number): void {
    this.total -= 1;
    if (generation === this.generation) this.sinceReopening -= 1;
  }

  /** `normal`: calls in flight at which the ramp is over. A late success, sent before the closing, lets nobody in. */
  succeeded(generation: number, normal: number): void {
    if (generation === this.generation) this.ramp = rampAfterSuccess(this.ramp, normal);
  }

  /** A closing begins: the calls in flight belong to the time before it. */
  closed(generation: number): void {
    this.generation = generation;
    this.ramp = PROBE;
    this.sinceReopening = 0;
  }

  /** The next call finds out whether the provider lets us in. */
  probe(): void {
    this.ramp = PROBE;
  }

  /** Calls that may hold a permit together, `concurrency` being the normal number. */
  allowed(concurrency: number): number {
    const ramped = this.ramp === null ? concurrency : this.ramp + this.total - this.sinceReopening;
    return Math.min(concurrency, ramped);
  }

  /** One more may start; `concurrency` null = no limit. */
  hasRoom(concurrency: number | null): boolean {
    return this.total < this.allowed(concurrency ?? Number.POSITIVE_INFINITY);
  }
}
