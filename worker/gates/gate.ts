// The gate of one provider account: a shell of clock, timer and waiting calls round the pure parts. Long, since every step of a permit reads the same state.
import type { AcquireRequest, Closing, Gate, GateAnswer, GateRefusal } from '../../activities/gate-port';
import type { GateLoad } from '../../contracts/gate';
import { IDLE_SLOTS, MAX_SLOTS, PACING_RETRY_MS, SAME_CLOSING_MS, SLOT_HORIZON_MS } from '../../contracts/limits';
import { AccountState, type Exhausted } from './account-state';
import { Alarm } from './alarm';
import { CallSteps, pacingWait } from './call-steps';
import { type GateClock, wallMsAt } from './clock';
import type { Shared } from './closing';
import { type EndpointClosed, EndpointClosings, type SharedEndpoint } from './endpoint-closings';
import type { ClosedListener, GateSettings, GateShare, GateSnapshot, LeasedShare } from './gate-types';
import { InFlight } from './in-flight';
import { Pacing } from './pacing';
import { CallPermit } from './permit';
import { slotsFor } from './slots';
import { type Waiter, WaitingLine } from './waiting-line';
import { Watchers } from './watchers';

export class ProviderGate implements Gate {
  private readonly state: AccountState;
  private readonly pacing: Pacing;
  private concurrency: number | null;
  private readonly inFlight: InFlight;
  private readonly endpoints: EndpointClosings;
  private residentWaits = 0;
  private readonly line = new WaitingLine();
  private readonly slotWatchers = new Watchers();
  private readonly alarm: Alarm;
  private readonly steps: CallSteps;
  /** Monotonic instant from which nothing is sent without a new lease; Infinity = no lease is needed. */
  private leasedUntilMs = Number.POSITIVE_INFINITY;
  private askForLease: () => void = () => {};
  /** Of the last permit: what the next call is taken to weigh until it comes. */
  private lastWeight = 1;
  /** What a call may weigh at most: the smallest window. */
  heaviest: number;
  private shortestWindowMs: number;

  /** `random`: uniform in [0, 1). Throws RangeError for a limit that is negative or not finite. */
  constructor(
    readonly settings: GateSettings,
    private readonly clock: GateClock,
    random: () => number,
  ) {
    this.state = new AccountState(settings, clock, random);
    this.pacing = new Pacing(settings.rate);
    this.heaviest = Math.min(Number.POSITIVE_INFINITY, ...settings.rate.map(({ limit }) => limit));
    this.shortestWindowMs = Math.min(Number.POSITIVE_INFINITY, ...settings.rate.map(({ perMs }) => perMs));
    this.concurrency = checkConcurrency(settings.concurrency);
    this.inFlight = new InFlight(this.state.generation);
    this.alarm = new Alarm(clock, () => this.lookAgain());
    this.endpoints = new EndpointClosings(random);
    this.steps = this.createSteps();
  }

  closedUntilMs(): number | null {
    const untilMs = this.state.closedUntil();
    return untilMs === null ? null : wallMsAt(this.clock, untilMs);
  }

  acquire({ weight = 1, endpoint, maxWaitMs, signal }: AcquireRequest): Promise<GateAnswer> {
    // A worker's part of a window may be smaller than a heavy call; the whole window is looked at before.
    if (this.settings.unit === undefined) this.pacing.check(weight);
    if (!(maxWaitMs >= 0)) throw new RangeError(`maxWaitMs: got ${maxWaitMs}, expected a number of at least 0`);
    const nowMs = this.clock.monotonicMs();
    // It does not join the line, where it would hold up the tools of other endpoints.
    const refusal = endpoint === undefined ? null : this.steps.endpointRefusal(endpoint);
    if (refusal !== null) return Promise.resolve(refusal);
    const waiter = { weight, endpoint: endpoint ?? null, deadlineMs: nowMs + maxWaitMs };
    const answer = this.line.join(waiter, signal, () => this.lookAgain());
    this.lookAgain();
    return answer;
  }

  /** Why calls end without being sent; null = they do not. That a person must act is known only as long as a lease says so: somebody may have acted meanwhile. */
  exhaustion(): Exhausted | null {
    return (this.isLeased() ? this.state.personStop() : null) ?? this.state.exhaustion();
  }

  consecutiveThrottles(): number {
    return this.state.throttlesInARow;
  }

  needsPerson(message: string): void {
    this.state.needsPerson(message);
    this.lookAgain();
  }

  residentWait(): () => void {
    let ended = false;
    this.residentWaits += 1;
    this.lookAgain();
    return () => {
      if (!ended) this.residentWaits -= 1;
      ended = true;
    };
  }

  /** Closes the gate for a reason that is no answer to one of its own calls. Returns the merged instant with jitter. */
  close(closing: Closing): number {
    return this.closeFor(closing, null, null);
  }

  /** Replaces limits while calls are under way, for a share of limits that several workers divide. What was sent stays counted; 0 sends nobody. */
  setShare(share: GateShare): void {
    if (share.concurrency !== undefined) this.concurrency = checkConcurrency(share.concurrency);
    if (share.rate) this.pacing.replace(share.rate, this.clock.monotonicMs());
    this.lookAgain();
  }

  /** From now on nothing is sent without a lease. `ask` is called, again and again, while a call waits for one. */
  requireLease(ask: () => void): void {
    this.askForLease = ask;
    this.endLease();
  }

  /** Replaces the limits until the lease ends. */
  lease({ rate, concurrency, allowance, untilMs, heaviest, shortestWindowMs }: LeasedShare): void {
    this.leasedUntilMs = untilMs;
    this.heaviest = heaviest ?? this.heaviest;
    this.shortestWindowMs = shortestWindowMs ?? this.shortestWindowMs;
    this.pacing.allowance = allowance;
    this.setShare({ rate, concurrency });
  }

  /** Nothing is sent any more. A few slots stay open, by the declared limits: the first call that comes asks for a lease. */
  endLease(): void {
    this.leasedUntilMs = Number.NEGATIVE_INFINITY;
    this.setShare({ rate: this.settings.rate, concurrency: this.settings.concurrency });
  }

  /** Closes for as long as other workers know, unless it is closed for longer; told to no listener. */
  closeShared(remainingMs: number): void {
    const generationBefore = this.state.generation;
    this.state.closeShared(remainingMs);
    this.afterClosing(generationBefore);
  }

  /** Takes over which endpoints other workers found closed, and which have let somebody in. */
  shareEndpoints(all: readonly SharedEndpoint[]): void {
    const nowMs = this.clock.monotonicMs();
    for (const { endpoint, remainingMs } of all) {
      if (remainingMs > this.endpoints.closedForMs(endpoint, nowMs) + SAME_CLOSING_MS)
        this.endpoints.closeShared(endpoint, nowMs, remainingMs);
    }
    this.endpoints.share(all, nowMs);
    this.lookAgain();
  }

  /** What all workers know of a person who has to act; null = nobody has to. */
  sharePerson(message: string | null): void {
    this.state.sharePerson(message);
    this.lookAgain();
  }

  /** Nothing is sent until then, because a success said so. */
  rest(closing: Closing): void {
    this.state.rest(closing);
    this.lookAgain();
  }

  /** Tells why a person has to act, once. Returns how to stop listening. */
  onNeedsPerson(listener: (message: string) => void): () => void {
    return this.state.onNeedsPerson.add(listener);
  }

  /** Takes over what other workers met. One that comes after a closing which nobody has got through since begins with a probe too. */
  shareProgress(shared: Shared): void {
    if (this.state.share(shared)) this.inFlight.probe();
    this.lookAgain();
  }

  /** Tells the first success after a throttle. Returns how to stop listening. */
  onRecovered(listener: () => void): () => void {
    return this.state.onRecovered.add(listener);
  }

  /** Tells every closing of one endpoint and every prolonging. Returns how to stop listening. */
  onEndpointClosed(listener: (closed: EndpointClosed) => void): () => void {
    return this.endpoints.onClosed.add(listener);
  }

  /** Tells the endpoint of the first success after its refusal. Returns how to stop listening. */
  onEndpointRecovered(listener: (endpoint: string) => void): () => void {
    return this.endpoints.onRecovered.add(listener);
  }

  /** Tells every closing and every prolonging of one. Returns how to stop listening. */
  onClosed(listener: ClosedListener): () => void {
    return this.state.onClosed.add(listener);
  }

  /** Task slots that may be out now, see {@link slotsFor}; many when calls end without being sent, so that the queue empties. */
  slots(): number {
    if (this.exhaustion()) return MAX_SLOTS;
    const slots = slotsFor({
      closed: this.state.closedUntil() !== null,
      concurrency: this.inFlight.allowed(this.concurrency ?? MAX_SLOTS),
      admitted: this.pacing.admits(this.clock.monotonicMs(), SLOT_HORIZON_MS) / this.lastWeight,
      inFlight: this.inFlight.total,
      residentWaits: this.residentWaits,
    });
    return this.isLeased() ? slots : Math.min(slots, IDLE_SLOTS);
  }

  /** Resolves when `slots` may have changed, and when the signal aborts. */
  slotsChanged(signal: AbortSignal): Promise<void> {
    const changed = this.slotWatchers.wait(signal, () => this.lookAgain());
    this.setAlarm();
    return changed;
  }

  /** Answers who can be answered, wakes the slots, sets the next alarm: after every change, every alarm, and when a slot came back. */
  lookAgain(): void {
    this.line.sweep((waiter, weightBefore) => this.answerFor(waiter, weightBefore));
    this.slotWatchers.wake();
    this.setAlarm();
    if (this.line.length > 0 && !this.isLeased() && this.state.closedUntil() === null) this.askForLease();
  }

  snapshot(): GateSnapshot {
    const { provider, account } = this.settings;
    return {
      provider,
      account,
      closedUntilMs: this.closedUntilMs(),
      throttlesInARow: this.state.throttlesInARow,
      exhausted: this.exhaustion()?.code ?? null,
      ramp: this.inFlight.ramp,
      inFlight: this.inFlight.total,
      waiting: this.line.length,
      residentWaits: this.residentWaits,
      slots: this.slots(),
      unitsSent: this.pacing.unitsSent,
      unitsSettled: this.pacing.unitsSettled,
      unitsPending: this.pacing.pending,
      headWeight: this.line.headWeight ?? 0,
      ...this.steps.counts,
    };
  }

  private answerFor({ weight, endpoint, deadlineMs }: Waiter, weightBefore: number): GateAnswer | null {
    const exhausted = this.exhaustion();
    if (exhausted) return exhausted;
    const closedUntil = this.state.closedUntil();
    if (closedUntil !== null) return deadlineMs < closedUntil ? this.wait('gate_closed', closedUntil) : null;
    const nowMs = this.clock.monotonicMs();
    if (!this.isLeased()) return nowMs < deadlineMs ? null : pacingWait(this.clock);
    const fitsAtMs = this.pacing.fitsAtMs(nowMs, weight, weightBefore);
    const isFirst = weightBefore === 0;
    if (isFirst && fitsAtMs <= nowMs && this.inFlight.hasRoom(this.concurrency))
      return this.permit(weight, endpoint, nowMs);
    if (nowMs < deadlineMs && fitsAtMs <= deadlineMs) return null;
    return this.wait('pacing', Math.max(fitsAtMs, nowMs + PACING_RETRY_MS));
  }

  private permit(weight: number, name: string | null, nowMs: number): GateAnswer {
    this.pacing.permit(nowMs, weight);
    this.lastWeight = weight;
    const endpoint = name === null ? null : { name, generation: 0 };
    const generation = this.inFlight.start();
    const granted = { weight, endpoint, generation, load: null, sentAtMs: Infinity, leftAtMs: null, entries: [] };
    return { kind: 'permit', permit: new CallPermit(granted, this.steps) };
  }

  private createSteps(): CallSteps {
    const { settings, clock, state, pacing, inFlight, endpoints } = this;
    return new CallSteps({
      settings,
      clock,
      state,
      pacing,
      inFlight,
      endpoints,
      concurrency: () => this.concurrency,
      shortestWindowMs: () => this.shortestWindowMs,
      stop: () => this.exhaustion() ?? (this.isLeased() ? null : pacingWait(clock)),
      close: (closing, generation, load) => this.closeFor(closing, generation, load),
      rest: (closing) => this.rest(closing),
      changed: () => this.lookAgain(),
    });
  }

  private isLeased(): boolean {
    return this.clock.monotonicMs() < this.leasedUntilMs;
  }

  private closeFor(closing: Closing, generation: number | null, load: GateLoad | null): number {
    const generationBefore = this.state.generation;
    const closedUntilMs = this.state.close(closing, generation, load);
    this.afterClosing(generationBefore);
    return closedUntilMs;
  }

  private afterClosing(generationBefore: number): void {
    if (this.state.generation !== generationBefore) this.inFlight.closed(this.state.generation);
    this.lookAgain();
  }

  private wait(reason: 'gate_closed' | 'pacing', untilMs: number): GateRefusal {
    return { kind: 'wait', reason, retryAtMs: wallMsAt(this.clock, untilMs) };
  }

  private setAlarm(): void {
    this.alarm.set(this.nextLookAtMs());
  }

  private nextLookAtMs(): number {
    if (this.line.length === 0 && this.slotWatchers.size === 0) return Number.POSITIVE_INFINITY;
    if (this.state.closedUntil() !== null) return this.state.changesAtMs();
    const nowMs = this.clock.monotonicMs();
    const { headWeight, firstDeadlineMs } = this.line;
    const looks = [firstDeadlineMs];
    if (this.isLeased()) looks.push(this.leasedUntilMs);
    if (this.isLeased() && headWeight !== undefined && this.inFlight.hasRoom(this.concurrency)) {
      looks.push(this.pacing.fitsAtMs(nowMs, headWeight));
    }
    if (this.slotWatchers.size > 0) {
      looks.push(Math.max(nowMs + PACING_RETRY_MS, this.pacing.fitsAtMs(nowMs, 1) - SLOT_HORIZON_MS));
    }
    return Math.min(...looks);
  }
}

function checkConcurrency(concurrency: number | null): number | null {
  if (concurrency === null || (concurrency >= 0 && Number.isFinite(concurrency))) return concurrency;
  throw new RangeError(`concurrency: got ${concurrency}, expected a number of at least 0, or null for no limit`);
}
