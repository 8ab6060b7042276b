// What the steps of one call, from its permit to its answer, change in the parts of its gate.
import type { Closing, GateRefusal } from '../../activities/gate-port';
import type { GateLoad, Units } from '../../contracts/gate';
import { MAX_SLOTS, PACING_RETRY_MS } from '../../contracts/limits';
import type { AccountState } from './account-state';
import { ArrivalDelay } from './arrival-delay';
import { type GateClock, wallMsAt } from './clock';
import type { EndpointClosings } from './endpoint-closings';
import type { GateSettings } from './gate-types';
import type { InFlight } from './in-flight';
import type { Pacing } from './pacing';
import type { Granted, PermitSteps } from './permit';
import { RecentSends } from './recent-sends';

/** The parts of a gate, and what only the gate itself can say or do. */
export interface GateParts {
  settings: Pick<GateSettings, 'account' | 'giveUpAfterMs' | 'unit'>;
  clock: GateClock;
  state: AccountState;
  pacing: Pacing;
  inFlight: InFlight;
  endpoints: EndpointClosings;
  concurrency(): number | null;
  /** Of the shared windows, ms; Infinity = there is none. */
  shortestWindowMs(): number;
  /** Why nobody is sent now, whatever a permit says. */
  stop(): GateRefusal | null;
  /** Closes the account and returns the merged wall-clock instant. */
  close(closing: Closing, generation: number, load: GateLoad | null): number;
  rest(closing: Closing): void;
  /** Something changed: who waits is looked at again. */
  changed(): void;
}

export class CallSteps implements PermitSteps {
  readonly counts = { sent: 0, succeeded: 0, throttled: 0 };
  private readonly arrival = new ArrivalDelay();
  private readonly recent = new RecentSends();
  /** Sent and without an answer. */
  private unanswered = 0;

  constructor(private readonly parts: GateParts) {}

  refusal({ generation, endpoint }: Granted): GateRefusal | null {
    const { stop, state, clock } = this.parts;
    const stopped = stop();
    if (stopped) return stopped;
    const nowMs = clock.monotonicMs();
    // A permit from before a closing stays void after the reopening too: there the probe goes first.
    if (generation !== state.generation) return this.closedUntil(state.closedUntil() ?? nowMs);
    return endpoint === null ? null : this.endpointRefusal(endpoint.name);
  }

  /** Why the calls of an endpoint are not sent while those of others may be. */
  endpointRefusal(endpoint: string): GateRefusal | null {
    const { state, endpoints, clock, settings } = this.parts;
    const nowMs = clock.monotonicMs();
    const givenUpMs = endpoints.exhaustedUntilMs(endpoint, nowMs, settings.giveUpAfterMs);
    if (givenUpMs !== null) return state.exhausted(`${endpoint} of account ${settings.account}`, givenUpMs);
    const untilMs = endpoints.waitUntilMs(endpoint, nowMs);
    return untilMs === null ? null : this.closedUntil(untilMs);
  }

  sent(granted: Granted): void {
    const { clock, endpoints, changed } = this.parts;
    const { endpoint } = granted;
    this.counts.sent += 1;
    granted.load = this.recent.send(clock.monotonicMs(), this.unanswered);
    this.unanswered += 1;
    granted.sentAtMs = clock.monotonicMs();
    if (endpoint) {
      endpoint.generation = endpoints.generationOf(endpoint.name);
      endpoints.started(endpoint.name);
    }
    changed();
  }

  /** Until here the call counts in every window whenever that may be: it may have waited for its connection for longer than a window lasts. */
  leaving(granted: Granted): void {
    if (granted.leftAtMs !== null) return;
    const { clock, pacing, changed } = this.parts;
    granted.leftAtMs = clock.monotonicMs();
    granted.entries = pacing.send(granted.leftAtMs, granted.weight);
    changed();
  }

  answered({ leftAtMs, entries }: Granted): void {
    if (leftAtMs === null) return;
    const { clock, pacing, changed } = this.parts;
    pacing.arrived(entries, leftAtMs + this.arrival.after(clock.monotonicMs() - leftAtMs));
    changed();
  }

  used(granted: Granted, units: Units): void {
    const { settings, clock, pacing, shortestWindowMs, changed } = this.parts;
    const { unit } = settings;
    const used = unit === undefined ? undefined : units[unit];
    if (used === undefined) return;
    this.leaving(granted);
    const isCounted = clock.monotonicMs() - granted.sentAtMs < shortestWindowMs();
    pacing.settle(granted.entries, granted.weight - used, isCounted);
    granted.weight = used;
    changed();
  }

  succeeded({ generation, endpoint }: Granted): void {
    const { state, inFlight, endpoints, concurrency, changed } = this.parts;
    this.counts.succeeded += 1;
    state.succeeded(generation);
    inFlight.succeeded(generation, concurrency() ?? MAX_SLOTS);
    if (endpoint) endpoints.succeeded(endpoint.name, endpoint.generation);
    changed();
  }

  throttleNumber({ generation, endpoint }: Granted): number {
    const { state, endpoints, clock } = this.parts;
    const ofAccount = state.throttleNumber(generation);
    if (endpoint === null) return ofAccount;
    const endpointGeneration = Math.max(endpoint.generation, endpoints.generationOf(endpoint.name));
    return Math.max(ofAccount, endpoints.throttleNumber(endpoint.name, clock.monotonicMs(), endpointGeneration));
  }

  throttled({ generation, endpoint, load }: Granted, closing: Closing): number {
    this.counts.throttled += 1;
    if (closing.scope !== 'endpoint' || endpoint === null) return this.parts.close(closing, generation, load);
    const { clock, endpoints } = this.parts;
    const throttle = { nowMs: clock.monotonicMs(), delayMs: closing.retryAtMs - clock.wallMs() };
    return wallMsAt(clock, endpoints.close(endpoint.name, { ...throttle, generation: endpoint.generation }, closing));
  }

  restUntil({ endpoint }: Granted, closing: Closing): void {
    const { clock, endpoints, changed, rest } = this.parts;
    if (closing.scope === 'endpoint' && endpoint !== null) {
      endpoints.rest(endpoint.name, clock.monotonicMs() + closing.retryAtMs - clock.wallMs());
      changed();
    } else rest(closing);
  }

  released(granted: Granted, wasSent: boolean): void {
    const { weight, generation, endpoint } = granted;
    const { inFlight, pacing, endpoints, changed } = this.parts;
    inFlight.end(generation);
    if (wasSent) {
      this.unanswered -= 1;
      this.leaving(granted);
    } else pacing.withdraw(weight);
    if (wasSent && endpoint) endpoints.ended(endpoint.name, endpoint.generation);
    changed();
  }

  private closedUntil(untilMs: number): GateRefusal {
    const nowMs = this.parts.clock.monotonicMs();
    return { kind: 'wait', reason: 'gate_closed', retryAtMs: wallMsAt(this.parts.clock, Math.max(nowMs, untilMs)) };
  }
}

/** A call that found no permit in time asks again no sooner. */
export const pacingWait = (clock: GateClock, untilMs = clock.monotonicMs() + PACING_RETRY_MS): GateRefusal => ({
  kind: 'wait',
  reason: 'pacing',
  retryAtMs: wallMsAt(clock, untilMs),
});
