// Endpoints of an account that are closed while its other tools go on: one state of closing for each, and one probe at a reopening.
import { PACING_RETRY_MS } from '../../contracts/limits';
import { afterSuccess, afterThrottle, type ClosingState, isClosed, NEVER_CLOSED, throttleNumber } from './closing';

interface Endpoint {
  closing: ClosingState;
  /** Probes under way; null = the endpoint is as open as its account. */
  probes: number | null;
}

/** `endpoint`: name of the tool. All instants are monotonic milliseconds. */
export class EndpointClosings {
  private readonly endpoints = new Map<string, Endpoint>();

  constructor(private readonly random: () => number) {}

  generationOf(endpoint: string): number {
    return this.endpoints.get(endpoint)?.closing.generation ?? NEVER_CLOSED.generation;
  }

  /** Until when a call has to wait, the second one after a reopening for what the first one finds out; null = it may go. */
  waitUntilMs(endpoint: string, nowMs: number): number | null {
    const known = this.endpoints.get(endpoint);
    if (!known) return null;
    if (isClosed(known.closing, nowMs)) return known.closing.untilMs;
    return known.probes !== null && known.probes > 0 ? nowMs + PACING_RETRY_MS : null;
  }

  started(endpoint: string): void {
    const known = this.endpoints.get(endpoint);
    if (known && known.probes !== null) known.probes += 1;
  }

  /** `generation`: closings of the endpoint when the call was sent; one from before the last closing was no probe. */
  ended(endpoint: string, generation: number): void {
    const known = this.endpoints.get(endpoint);
    if (known && known.probes !== null && known.closing.generation === generation)
      known.probes = Math.max(0, known.probes - 1);
  }

  throttleNumber(endpoint: string, nowMs: number, generation: number): number {
    return throttleNumber(this.endpoints.get(endpoint)?.closing ?? NEVER_CLOSED, nowMs, generation);
  }

  /** Returns the merged instant with jitter: the later one wins. */
  close(endpoint: string, throttle: { nowMs: number; delayMs: number; generation: number }): number {
    const { closing } = this.endpoints.get(endpoint) ?? { closing: NEVER_CLOSED };
    const next = afterThrottle(closing, { ...throttle, draw: this.random() });
    this.endpoints.set(endpoint, { closing: next, probes: 0 });
    return next.untilMs;
  }

  succeeded(endpoint: string, generation: number): void {
    const known = this.endpoints.get(endpoint);
    if (known?.closing.generation !== generation) return;
    this.endpoints.set(endpoint, { closing: afterSuccess(known.closing, generation), probes: null });
  }
}
