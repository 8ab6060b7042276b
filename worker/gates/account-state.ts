// Whether an account may be sent to at all: closed, exhausted, or waiting for a person. Instants outside are wall clock, inside monotonic.
import type { Closing, GateRefusal } from '../../activities/gate-port';
import { type GateClock, wallMsAt } from './clock';
import {
  afterSuccess,
  afterThrottle,
  closedUntil,
  exhaustedAtMs,
  isClosed,
  isExhausted,
  NEVER_CLOSED,
  type Shared,
  throttleNumber,
  tooLongUntilMs,
  withShared,
} from './closing';
import type { ClosedListener, GateSettings } from './gate-types';

type Exhausted = Extract<GateRefusal, { kind: 'exhausted' }>;

export class AccountState {
  private closing = NEVER_CLOSED;
  private personNeeded: string | null = null;
  private readonly listeners = new Set<ClosedListener>();
  private readonly recoveredListeners = new Set<() => void>();

  constructor(
    private readonly settings: Pick<GateSettings, 'provider' | 'account' | 'giveUpAfterMs'>,
    private readonly clock: GateClock,
    private readonly random: () => number,
  ) {}

  /** Closings so far; a call with another number was sent before the last one. */
  get generation(): number {
    return this.closing.generation;
  }

  get throttlesInARow(): number {
    return this.closing.throttlesInARow;
  }

  /** Monotonic instant of the reopening; null = open. */
  closedUntil(): number | null {
    return isClosed(this.closing, this.clock.monotonicMs()) ? this.closing.untilMs : null;
  }

  /** Monotonic instant at which the answer of this object changes by itself; Infinity = never. */
  changesAtMs(): number {
    const nowMs = this.clock.monotonicMs();
    const { untilMs } = this.closing;
    const instants = [untilMs, exhaustedAtMs(this.closing, this.settings.giveUpAfterMs), tooLongUntilMs(this.closing)];
    return isClosed(this.closing, nowMs) ? Math.min(...instants.filter((atMs) => atMs > nowMs)) : Infinity;
  }

  exhaustion(): Exhausted | null {
    if (this.personNeeded !== null) {
      return { kind: 'exhausted', code: 'NEEDS_PERSON', message: this.personNeeded, retryAtMs: null };
    }
    const { provider, account, giveUpAfterMs } = this.settings;
    const nowMs = this.clock.monotonicMs();
    const retryAtMs = wallMsAt(this.clock, this.closing.untilMs);
    const exhausted = (why: string): Exhausted => ({
      kind: 'exhausted',
      code: 'PROVIDER_EXHAUSTED',
      message: `${provider}/${account}: ${why}`,
      retryAtMs,
    });
    if (nowMs < tooLongUntilMs(this.closing))
      return exhausted(`closed until ${new Date(retryAtMs).toISOString()}, longer than any hold`);
    if (!isExhausted(this.closing, nowMs, giveUpAfterMs)) return null;
    return exhausted(`no success for ${Math.round(giveUpAfterMs / 1000)} s since its first throttle`);
  }

  /** The first message stays, until the process ends. */
  needsPerson(message: string): void {
    this.personNeeded ??= message;
  }

  throttleNumber(generation: number): number {
    return throttleNumber(this.closing, this.clock.monotonicMs(), generation);
  }

  succeeded(generation: number): void {
    const { firstThrottleMs } = this.closing;
    this.closing = afterSuccess(this.closing, generation);
    if (firstThrottleMs === null || this.closing.firstThrottleMs !== null) return;
    for (const listener of this.recoveredListeners) listener();
  }

  /** A closing that another worker met: as long as it says, without jitter of our own, and told to nobody. */
  closeShared(remainingMs: number): void {
    const nowMs = this.clock.monotonicMs();
    this.closing = closedUntil(this.closing, nowMs, nowMs + remainingMs);
  }

  share(shared: Shared): void {
    this.closing = withShared(this.closing, shared, this.clock.monotonicMs());
  }

  /** Returns the merged wall-clock instant with jitter, after telling the listeners if it moved. `generation` null = not by a call of this account. */
  close(closing: Closing, generation: number | null): number {
    if (!Number.isFinite(closing.retryAtMs)) {
      throw new RangeError(`retryAtMs: got ${closing.retryAtMs}, expected a finite wall-clock instant`);
    }
    const nowMs = this.clock.monotonicMs();
    const { untilMs: beforeMs } = this.closing;
    const delayMs = closing.retryAtMs - this.clock.wallMs();
    this.closing = afterThrottle(this.closing, { nowMs, delayMs, generation, draw: this.random() });
    const { throttlesInARow, untilMs } = this.closing;
    const closedUntilMs = wallMsAt(this.clock, untilMs);
    if (untilMs > beforeMs) {
      const { provider, account } = this.settings;
      const event = { ...closing, provider, account, throttlesInARow, closedUntilMs, remainingMs: untilMs - nowMs };
      for (const listener of this.listeners) listener(event);
    }
    return closedUntilMs;
  }

  /** Tells the first success after a throttle. Returns how to stop listening. */
  onRecovered(listener: () => void): () => void {
    this.recoveredListeners.add(listener);
    return () => this.recoveredListeners.delete(listener);
  }

  /** Returns how to stop listening. */
  onClosed(listener: ClosedListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
