// Endpoints of an account that are closed while its other tools go on: one state of closing for each, and one probe at a reopening.
import type { Closing } from '../../activities/gate-port';
import { PACING_RETRY_MS } from '../../contracts/limits';
import {
  afterSuccess,
  afterThrottle,
  type ClosingState,
  closedUntil,
  isClosed,
  isExhausted,
  NEVER_CLOSED,
  type Shared,
  throttleNumber,
  withShared,
} from './closing';
import { Listeners } from './listeners';

interface Endpoint {
  closing: ClosingState;
  /** Probes under way; null = the endpoint is as open as its account. */
  probes: number | null;
}

/** A closing of one endpoint as it stands now; a duration travels to other clocks. */
export interface EndpointClosed extends Pick<Closing, 'reason' | 'status' | 'said'> {
  endpoint: string;
  remainingMs: number;
}

/** What other workers know of an endpoint: closed for `remainingMs`, 0 = open. */
export interface SharedEndpoint extends Shared {
  endpoint: string;
  remainingMs: number;
}

/** `endpoint`: name of the tool. All instants are monotonic milliseconds. */
export class EndpointClosings {
  readonly onClosed = new Listeners<EndpointClosed>();
  /** Tells the first success after a refusal. */
  readonly onRecovered = new Listeners<string>();
  private readonly endpoints = new Map<string, Endpoint>();
  /** Until when endpoints rest because a success said so; it counts as no throttle and asks for no probe. */
  private readonly restUntilMs = new Map<string, number>();

  constructor(private readonly random: () => number) {}

  generationOf(endpoint: string): number {
    return this.closingOf(endpoint).generation;
  }

  /** Until when a call has to wait, the second one after a reopening for what the first one finds out; null = it may go. */
  waitUntilMs(endpoint: string, nowMs: number): number | null {
    const untilMs = Math.max(this.closingOf(endpoint).untilMs, this.restUntilMs.get(endpoint) ?? nowMs);
    if (nowMs < untilMs) return untilMs;
    const probes = this.endpoints.get(endpoint)?.probes ?? null;
    return probes !== null && probes > 0 ? nowMs + PACING_RETRY_MS : null;
  }

  /** Nothing is sent to it until then; a later end wins. */
  rest(endpoint: string, untilMs: number): void {
    this.restUntilMs.set(endpoint, Math.max(untilMs, this.restUntilMs.get(endpoint) ?? untilMs));
  }

  /** Milliseconds for which it is still closed; 0 = it is open, or a probe is under way. */
  closedForMs(endpoint: string, nowMs: number): number {
    return Math.max(0, this.closingOf(endpoint).untilMs - nowMs);
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
    return throttleNumber(this.closingOf(endpoint), nowMs, generation);
  }

  /** Until when a closed endpoint is given up: the longest wait would not end a time without success that is too long already; null = it is not. */
  exhaustedUntilMs(endpoint: string, nowMs: number, giveUpAfterMs: number): number | null {
    const closing = this.closingOf(endpoint);
    return isExhausted(closing, nowMs, giveUpAfterMs) ? closing.untilMs : null;
  }

  /** Returns the merged instant with jitter, after telling the listeners if it moved: the later one wins. */
  close(
    endpoint: string,
    throttle: { nowMs: number; delayMs: number; generation: number },
    { reason, status, said }: Pick<Closing, 'reason' | 'status' | 'said'>,
  ): number {
    const closing = this.closingOf(endpoint);
    const next = afterThrottle(closing, { ...throttle, draw: this.random() });
    this.endpoints.set(endpoint, { closing: next, probes: 0 });
    const remainingMs = next.untilMs - throttle.nowMs;
    const why = { ...(status === undefined ? {} : { status }), ...(said === undefined ? {} : { said }) };
    if (next.untilMs > closing.untilMs) this.onClosed.tell({ endpoint, remainingMs, reason, ...why });
    return next.untilMs;
  }

  /** A closing that another worker met: as long as it says, without jitter of our own, and told to nobody. */
  closeShared(endpoint: string, nowMs: number, remainingMs: number): void {
    const closing = this.closingOf(endpoint);
    this.endpoints.set(endpoint, { closing: closedUntil(closing, nowMs, nowMs + remainingMs), probes: 0 });
  }

  /** Takes over what all workers know together; an endpoint that is not in it has let somebody in. */
  share(all: readonly SharedEndpoint[], nowMs: number): void {
    const unheard = [...this.endpoints.keys()].filter((name) => !all.some(({ endpoint }) => endpoint === name));
    for (const endpoint of unheard) this.recovered(endpoint, nowMs);
    for (const { endpoint, ...shared } of all) {
      const { closing, probes } = this.endpoints.get(endpoint) ?? { closing: NEVER_CLOSED, probes: 0 };
      this.endpoints.set(endpoint, { closing: withShared(closing, shared, nowMs), probes });
    }
  }

  succeeded(endpoint: string, generation: number): void {
    const known = this.endpoints.get(endpoint);
    if (known?.closing.generation !== generation) return;
    this.endpoints.set(endpoint, { closing: afterSuccess(known.closing, generation), probes: null });
    if (known.closing.firstThrottleMs !== null) this.onRecovered.tell(endpoint);
  }

  private closingOf(endpoint: string): ClosingState {
    return this.endpoints.get(endpoint)?.closing ?? NEVER_CLOSED;
  }

  /** Somebody else was let in: no probe is needed. What is closed here stays closed. */
  private recovered(endpoint: string, nowMs: number): void {
    const known = this.endpoints.get(endpoint);
    if (!known || isClosed(known.closing, nowMs)) return;
    const closing = withShared(known.closing, { throttlesInARow: 0, firstThrottleMs: null }, nowMs);
    this.endpoints.set(endpoint, { closing, probes: null });
  }
}
