// What a gate tells to one worker: its next lease, and when there is news that it should hear at once. Pure.
import type { GateLimits, Lease } from '../contracts/gate';
import { LEASE_REST_MS, RENEWALS_PER_LEASE } from '../contracts/limits';
import { countedWindows, unitsFor, unitsFreeAtMs } from './gate-allowance';
import { toldClosing } from './gate-closing';
import { toldEndpoints } from './gate-endpoints';
import { paceFor } from './gate-learning';
import { personStopFor } from './gate-person';
import { isActive, shareFor, sharesChangeAtMs } from './gate-shares';
import { activeHolders, type GateState, type Holder, limitsInForce, replaceHolder } from './gate-state';

const shareOf = (state: GateState, worker: string): GateLimits =>
  shareFor(limitsInForce(state), state.holders, worker, state.seenMs);

/** Everything that a worker wants to hear of at once, as a text to compare. */
function newsFor(state: GateState, worker: string): string {
  const { paused, closing, endpoints = [] } = state;
  const { number, throttlesInARow, firstThrottleMs } = closing;
  const holder = state.holders.find((one) => one.worker === worker);
  const stop = personStopFor(state.needsPerson, holder?.upSinceMs);
  return JSON.stringify([
    shareOf(state, worker),
    paused,
    number,
    throttlesInARow,
    firstThrottleMs,
    ...(stop === null ? [] : [stop]),
    ...(holder?.wants === undefined ? [] : [heaviestIn(limitsInForce(state))]),
    // A text as long as it was before there were endpoints, while there are none: told by an earlier version it is no news.
    ...endpoints.map(({ endpoint, closing }) => [endpoint, closing.number, closing.throttlesInARow]),
  ]);
}

export function hasNews(state: GateState, worker: string): boolean {
  const holder = state.holders.find((one) => one.worker === worker);
  return !holder || holder.told !== newsFor(state, worker) || (isOutOfUnits(holder) && canCountOut(state, holder));
}

const isOutOfUnits = ({ grants, spent, pending = 0, wants = 0 }: Holder): boolean => {
  const allowance = grants.at(-1)?.allowance ?? null;
  const left = allowance === null ? Infinity : allowance - spent - pending;
  return left <= 0 || left < wants;
};

const canCountOut = (state: GateState, holder: Holder): boolean =>
  (unitsOf(state, holder) ?? 0) >= Math.max(1, holder.wants ?? 0);

/** What the next calls of workers that wait for longer need: one after the other gets a heavy call through, however many light ones come. */
function reservedBefore({ holders, seenMs }: GateState, worker: string): number {
  const place = holders.findIndex((holder) => holder.worker === worker);
  const sinceMs = holders[place]?.outSinceMs ?? Infinity;
  const isBefore = ({ outSinceMs = Infinity }: Holder, at: number) =>
    outSinceMs < sinceMs || (outSinceMs === sinceMs && outSinceMs < Infinity && at < place);
  const waiting = holders.filter((holder, at) => isActive(holder, seenMs) && isBefore(holder, at));
  return waiting.reduce((sum, { wants = 0 }) => sum + wants, 0);
}

/** What one call may weigh: the smallest limit that lets anything through. */
function heaviestIn({ rate }: GateLimits): number | null {
  const limits = rate.map(({ limit }) => limit).filter((limit) => limit > 0);
  return limits.length === 0 ? null : Math.min(...limits);
}

const shortestIn = ({ rate }: GateLimits): number => Math.min(...rate.map(({ perMs }) => perMs));

function unitsOf(state: GateState, holder: Holder): number | null {
  const { worker, ttlMs } = holder;
  if (countedWindows(limitsInForce(state)).length > 0 && !isActive(holder, state.seenMs)) return 0;
  const others = state.holders.filter((holder) => holder.worker !== worker);
  const count = Math.max(1, activeHolders(state).length);
  const { pending = 0, wants } = holder;
  const reserved = pending + (wants === undefined ? 0 : reservedBefore(state, worker));
  return unitsFor(limitsInForce(state), state.used, others, { count, ttlMs, nowMs: state.seenMs, wants, reserved });
}

/** The next instant at which there may be news by the passing of time alone. */
export function newsAtMs(state: GateState, worker: string): number {
  const holder = state.holders.find((one) => one.worker === worker);
  const unitsAtMs = holder && isOutOfUnits(holder) ? unitsFreeAtMs(state.used, state.seenMs) : Infinity;
  return Math.min(sharesChangeAtMs(limitsInForce(state), state.holders, worker, state.seenMs), unitsAtMs);
}

/** Gives `worker`, which was heard, its next lease. `kept`: the gate may keep the next request back. */
export function leaseFor(state: GateState, worker: string, kept: boolean): { state: GateState; lease: Lease } {
  const holder = state.holders.find((one) => one.worker === worker);
  if (!holder) throw new TypeError(`lease: no request of ${worker} was heard`);
  const { seenMs: nowMs, nextLease: number, closing, paused } = state;
  const { ttlMs, counts, activeUntilMs } = holder;
  const share = shareOf(state, worker);
  const units = unitsOf(state, holder);
  const allowance = units === null ? null : counts.sent + (holder.pending ?? 0) + units;
  const before = holder.grants.at(-1);
  const isNews = holder.told !== newsFor(state, worker);
  const { outSinceMs = nowMs, ...heardNow } = holder;
  const granted: Holder = {
    ...heardNow,
    ...(units !== null && units < (holder.wants ?? 0) ? { outSinceMs } : {}),
    told: newsFor(state, worker),
    grants: [...holder.grants, { number, share, allowance, endsMs: activeUntilMs, isReported: false }],
  };
  const limits = limitsInForce(state);
  const heaviest = heaviestIn(limits);
  const freeAtMs = unitsFreeAtMs(state.used, nowMs);
  const periodMs = Math.floor(ttlMs / RENEWALS_PER_LEASE);
  const lease: Lease = {
    number,
    share,
    allowance,
    moreAfterMs: units === 0 && Number.isFinite(freeAtMs) ? Math.max(1, freeAtMs - nowMs) : periodMs,
    ttlMs,
    restMs: restMs({ kept, isNews: isNews && before !== undefined, periodMs }),
    paused,
    closing: toldClosing(closing, nowMs),
    throttlesInARow: closing.throttlesInARow,
    noProgressMs: closing.firstThrottleMs === null ? null : nowMs - closing.firstThrottleMs,
    needsPerson: personStopFor(state.needsPerson, holder.upSinceMs),
    endpoints: toldEndpoints(state.endpoints ?? [], nowMs),
    ...(holder.wants === undefined || heaviest === null ? {} : { heaviest, shortestWindowMs: shortestIn(limits) }),
    pace: paceFor(state.learning, ...placeOf(state, worker)),
  };
  return { state: { ...state, nextLease: number + 1, holders: replaceHolder(state.holders, granted) }, lease };
}

/** Which of how many active workers it is, from 0; one that is not active counts as the last. */
function placeOf(state: GateState, worker: string): [place: number, workers: number] {
  const others = activeHolders(state).filter((holder) => holder.worker !== worker);
  const place = activeHolders(state).findIndex((holder) => holder.worker === worker);
  return [place < 0 ? others.length : place, others.length + 1];
}

/** The answer to news is asked for at once, since a lowered share is free for others only when it was applied. */
function restMs({ kept, isNews, periodMs }: { kept: boolean; isNews: boolean; periodMs: number }): number {
  if (isNews) return LEASE_REST_MS;
  return kept ? 0 : periodMs;
}
