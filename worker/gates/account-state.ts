// Whether an account may be sent to at all: closed, resting, exhausted, or waiting for a person. Instants outside are wall clock, inside monotonic.
import type { Closing, GateRefusal } from '../../activities/gate-port';
import type { GateLoad } from '../../contracts/gate';
import { type GateClock, wallMsAt } from './clock';
import {
  afterSuccess,
  afterThrottle,
  closedUntil,
  exhaustedAtMs,
  isExhausted,
  NEVER_CLOSED,
  type Shared,
  throttleNumber,
  withShared,
} from './closing';
import type { ClosedEvent, GateSettings } from './gate-types';
import { Listeners } from './listeners';

export type Exhausted = Extract<GateRefusal, { kind: 'exhausted' }>;

export class AccountState {
  readonly onClosed = new Listeners<ClosedEvent>();
  readonly onRecovered = new Listeners<void>();
  readonly onNeedsPerson = new Listeners<string>();
  private closing = NEVER_CLOSED;
  /** A success asked to wait until then: no throttle, so there is neither a count nor a probe. */
  private restUntilMs = Number.NEGATIVE_INFINITY;
  private personNeeded: string | null = null;

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
    const untilMs = Math.max(this.closing.untilMs, this.restUntilMs);
    return this.clock.monotonicMs() < untilMs ? untilMs : null;
  }

  /** Monotonic instant at which the answer of this object changes by itself; Infinity = never. */
  changesAtMs(): number {
    const nowMs = this.clock.monotonicMs();
    const untilMs = this.closedUntil();
    if (untilMs === null) return Number.POSITIVE_INFINITY;
    const exhaustsAtMs = exhaustedAtMs(this.closing, this.settings.giveUpAfterMs);
    return exhaustsAtMs > nowMs ? Math.min(untilMs, exhaustsAtMs) : untilMs;
  }

  /** What waits for a person; null = nobody has to act. */
  personStop(): Exhausted | null {
    const message = this.personNeeded;
    return message === null ? null : { kind: 'exhausted', code: 'NEEDS_PERSON', message, retryAtMs: null };
  }

  exhaustion(): Exhausted | null {
    const { provider, account, giveUpAfterMs } = this.settings;
    if (!isExhausted(this.closing, this.clock.monotonicMs(), giveUpAfterMs)) return null;
    return this.exhausted(`${provider}/${account}`, this.closing.untilMs);
  }

  /** `what` was given up and is closed until the monotonic instant. */
  exhausted(what: string, untilMs: number): Exhausted {
    const retryAtMs = wallMsAt(this.clock, untilMs);
    const until = new Date(retryAtMs).toISOString();
    const giveUpAfterSeconds = Math.round(this.settings.giveUpAfterMs / 1000);
    const message = `${what}: closed until ${until}, without a success for longer than giveUpAfter (${giveUpAfterSeconds} s)`;
    return { kind: 'exhausted', code: 'PROVIDER_EXHAUSTED', message, retryAtMs };
  }

  /** The first message stays, until it is settled. */
  needsPerson(message: string): void {
    if (this.personNeeded !== null) return;
    this.personNeeded = message;
    this.onNeedsPerson.tell(message);
  }

  /** What all workers know: null = a person has acted, or nobody has to. */
  sharePerson(message: string | null): void {
    this.personNeeded = message;
  }

  throttleNumber(generation: number): number {
    return throttleNumber(this.closing, this.clock.monotonicMs(), generation);
  }

  succeeded(generation: number): void {
    const { firstThrottleMs } = this.closing;
    this.closing = afterSuccess(this.closing, generation);
    if (firstThrottleMs !== null && this.closing.firstThrottleMs === null) this.onRecovered.tell();
  }

  /** A closing that another worker met: as long as it says, without jitter of our own, and told to nobody. */
  closeShared(remainingMs: number): void {
    const nowMs = this.clock.monotonicMs();
    this.closing = closedUntil(this.closing, nowMs, nowMs + remainingMs);
  }

  /** True when this is how the account learns that nothing has gone through since a closing that is over by now. */
  share(shared: Shared): boolean {
    const knewOfNone = this.closing.firstThrottleMs === null;
    this.closing = withShared(this.closing, shared, this.clock.monotonicMs());
    return knewOfNone && this.closing.firstThrottleMs !== null && this.closedUntil() === null;
  }

  /** Returns the merged wall-clock instant with jitter, after telling the listeners if it moved. `generation` null = not by a call of this account. */
  close(closing: Closing, generation: number | null, load: GateLoad | null = null): number {
    const delayMs = this.delayOf(closing);
    const nowMs = this.clock.monotonicMs();
    const { untilMs: beforeMs } = this.closing;
    this.closing = afterThrottle(this.closing, { nowMs, delayMs, generation, draw: this.random() });
    const { untilMs } = this.closing;
    if (untilMs > beforeMs) this.tellClosed(closing, untilMs, { isRest: false, load });
    return wallMsAt(this.clock, untilMs);
  }

  /** Nothing is sent until then, because a success said so: it counts as no throttle, and others hear of it. */
  rest(closing: Closing): void {
    const untilMs = this.clock.monotonicMs() + this.delayOf(closing);
    if (untilMs <= Math.max(this.restUntilMs, this.closing.untilMs)) return;
    this.restUntilMs = untilMs;
    this.tellClosed(closing, untilMs, { isRest: true, load: null });
  }

  private tellClosed(closing: Closing, untilMs: number, why: Pick<ClosedEvent, 'isRest' | 'load'>): void {
    const { provider, account } = this.settings;
    this.onClosed.tell({
      ...closing,
      provider,
      account,
      ...why,
      throttlesInARow: this.closing.throttlesInARow,
      closedUntilMs: wallMsAt(this.clock, untilMs),
      remainingMs: untilMs - this.clock.monotonicMs(),
    });
  }

  private delayOf({ retryAtMs }: Closing): number {
    if (Number.isFinite(retryAtMs)) return retryAtMs - this.clock.wallMs();
    throw new RangeError(`retryAtMs: got ${retryAtMs}, expected a finite wall-clock instant`);
  }
}
