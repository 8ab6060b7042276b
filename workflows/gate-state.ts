// Everything a gate remembers, as one plain value that is carried from run to run, and the steps that change it: pure.
import type { AdjustSignal, GateCounts, GateLimits, Lease, LeaseRequest, ReturnedSignal } from '../contracts/gate';
import { LEASE_REST_MS, RENEWALS_PER_LEASE } from '../contracts/limits';
import {
  countedWindows,
  countsUnits,
  recordsFor,
  type UsedUnits,
  unitsFor,
  unitsFreeAtMs,
  unitsOut,
  withUsed,
} from './gate-allowance';
import { type GateClosing, NEVER_CLOSED, toldClosing } from './gate-closing';
import { type PersonStop, personStopFor } from './gate-person';
import { countsStill, isActive, type ShareHolder, shareFor, sharesChangeAtMs, withApplied } from './gate-shares';

/** One worker that has, or had a moment ago, a lease. */
export interface Holder extends ShareHolder {
  /** Number of its latest request. */
  request: number;
  /** When it arrived. */
  heardMs: number;
  counts: GateCounts;
  /** Units that count as sent by it, and since when, see `countsUnits`. */
  spent: number;
  knownMs: number;
  /** What it declared, to see when that changes. */
  declared: string;
  ttlMs: number;
  /** When it was started, so far as it says. */
  upSinceMs?: number;
  /** What its latest lease told, see `newsFor`. */
  told: string;
}

export interface GateState {
  declared: GateLimits | null;
  adjusted: AdjustSignal;
  paused: boolean;
  closing: GateClosing;
  /** What a person has to mend, met first at `sinceMs`; states of earlier versions have none. */
  needsPerson?: PersonStop | null;
  /** In order of arrival. */
  holders: Holder[];
  used: UsedUnits[];
  counts: GateCounts;
  nextLease: number;
  /** The gate's clock as it was last seen. It never goes back: when the server's does, `offsetMs` keeps it running on. */
  seenMs: number;
  offsetMs: number;
}

const NO_COUNTS: GateCounts = { sent: 0, succeeded: 0, throttled: 0 };
const NO_LIMITS: GateLimits = { rate: [], concurrency: null };

export const NEW_GATE: GateState = {
  declared: null,
  adjusted: {},
  paused: false,
  closing: NEVER_CLOSED,
  holders: [],
  used: [],
  counts: NO_COUNTS,
  nextLease: 1,
  seenMs: 0,
  offsetMs: 0,
};

export function limitsInForce({ declared, adjusted }: GateState): GateLimits {
  const { rate, concurrency } = declared ?? NO_LIMITS;
  return { rate: adjusted.rate ?? rate, concurrency: adjusted.concurrency ?? concurrency };
}

/** The state as time has passed: what lost workers had counts as used, and who is long gone is forgotten. */
export function atInstant(state: GateState, wallMs: number): GateState {
  const offsetMs = Math.max(state.offsetMs, state.seenMs - wallMs);
  const nowMs = wallMs + offsetMs;
  let { used } = state;
  const holders = state.holders.flatMap((holder) => {
    const active = isActive(holder, nowMs);
    const lost = active ? 0 : unitsOut(holder, nowMs);
    if (lost > 0) used = withUsed(used, lost, nowMs);
    const grants = holder.grants.filter((grant) => countsStill(grant, nowMs) || (active && countsUnits(holder, grant)));
    return active || grants.length > 0 ? [{ ...holder, grants, spent: holder.spent + lost }] : [];
  });
  return { ...state, holders, used, seenMs: nowMs, offsetMs };
}

/** Counts of a worker that comes anew begin where it says: what it sent on earlier leases was counted with them. */
function withCounts(state: GateState, holder: Holder | undefined, counts: GateCounts): GateState {
  if (!holder) return state;
  const since = (name: keyof GateCounts) => Math.max(0, counts[name] - holder.counts[name]);
  return {
    ...state,
    used: withUsed(state.used, counts.sent - holder.spent, state.seenMs),
    counts: {
      sent: state.counts.sent + since('sent'),
      succeeded: state.counts.succeeded + since('succeeded'),
      throttled: state.counts.throttled + since('throttled'),
    },
  };
}

const replaceHolder = (holders: readonly Holder[], changed: Holder): Holder[] =>
  holders.some(({ worker }) => worker === changed.worker)
    ? holders.map((holder) => (holder.worker === changed.worker ? changed : holder))
    : [...holders, changed];

/** A worker was heard: it is there for as long as a lease lasts, and what it has applied and sent is known. */
export function heard(state: GateState, request: LeaseRequest): GateState {
  const { worker, applied, limits, ttlMs, inFlight, counts, upMs } = request;
  const nowMs = state.seenMs;
  const before = state.holders.find((holder) => holder.worker === worker);
  if (before && before.request >= request.request) return state;
  const declared = JSON.stringify(limits);
  // The worker that came last, or whose file changed, knows best.
  const changed = before?.declared !== declared;
  const counted = withCounts(changed ? { ...state, declared: limits } : state, before, counts);
  const holder: Holder = {
    worker,
    request: request.request,
    inFlight,
    counts,
    spent: counts.sent,
    declared,
    ttlMs,
    ...(upMs === undefined ? {} : { upSinceMs: nowMs - upMs }),
    activeUntilMs: nowMs + ttlMs,
    heardMs: nowMs,
    knownMs: before?.heardMs ?? nowMs,
    grants: before ? withApplied(before, applied, nowMs) : [],
    told: before?.told ?? '',
  };
  const holders = replaceHolder(counted.holders, holder);
  return { ...counted, holders, used: recordsFor(limitsInForce(counted), counted.used) };
}

/** The worker has stopped sending. */
export function returned(state: GateState, { worker, request, counts }: ReturnedSignal): GateState {
  const holder = state.holders.find((one) => one.worker === worker);
  if (!holder || holder.request > request) return state;
  const nowMs = state.seenMs;
  const grants = holder.grants.map((grant) => ({ ...grant, endsMs: Math.min(grant.endsMs, nowMs), isReported: true }));
  const counted = withCounts(state, holder, counts);
  const ended = { ...holder, request, counts, spent: counts.sent, inFlight: 0, activeUntilMs: nowMs, grants };
  return { ...counted, holders: replaceHolder(counted.holders, ended) };
}

export function adjusted(state: GateState, { rate, concurrency }: AdjustSignal): GateState {
  const wanted = { ...state.adjusted };
  if (rate !== undefined) wanted.rate = rate;
  if (concurrency !== undefined) wanted.concurrency = concurrency;
  const changed = { ...state, adjusted: wanted };
  return { ...changed, used: recordsFor(limitsInForce(changed), state.used) };
}

const shareOf = (state: GateState, worker: string): GateLimits =>
  shareFor(limitsInForce(state), state.holders, worker, state.seenMs);

/** Everything that a worker wants to hear of at once, as a text to compare. */
function newsFor(state: GateState, worker: string): string {
  const { paused, closing } = state;
  const { number, throttlesInARow, firstThrottleMs } = closing;
  const stop = personStopFor(state.needsPerson, state.holders.find((one) => one.worker === worker)?.upSinceMs);
  return JSON.stringify([
    shareOf(state, worker),
    paused,
    number,
    throttlesInARow,
    firstThrottleMs,
    ...(stop === null ? [] : [stop]),
  ]);
}

export function hasNews(state: GateState, worker: string): boolean {
  const holder = state.holders.find((one) => one.worker === worker);
  return !holder || holder.told !== newsFor(state, worker) || (isOutOfUnits(holder) && canCountOut(state, holder));
}

const isOutOfUnits = ({ grants, spent }: Holder): boolean => {
  const allowance = grants.at(-1)?.allowance ?? null;
  return allowance !== null && allowance <= spent;
};

const canCountOut = (state: GateState, holder: Holder): boolean => (unitsOf(state, holder) ?? 0) > 0;

function unitsOf(state: GateState, holder: Holder): number | null {
  const { worker, ttlMs } = holder;
  if (countedWindows(limitsInForce(state)).length > 0 && !isActive(holder, state.seenMs)) return 0;
  const others = state.holders.filter((holder) => holder.worker !== worker);
  const count = Math.max(1, state.holders.filter((holder) => isActive(holder, state.seenMs)).length);
  return unitsFor(limitsInForce(state), state.used, others, { count, ttlMs, nowMs: state.seenMs });
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
  const allowance = units === null ? null : counts.sent + units;
  const before = holder.grants.at(-1);
  const isNews = holder.told !== newsFor(state, worker);
  const granted: Holder = {
    ...holder,
    told: newsFor(state, worker),
    grants: [...holder.grants, { number, share, allowance, endsMs: activeUntilMs, isReported: false }],
  };
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
  };
  return { state: { ...state, nextLease: number + 1, holders: replaceHolder(state.holders, granted) }, lease };
}

/** The answer to news is asked for at once, since a lowered share is free for others only when it was applied. */
function restMs({ kept, isNews, periodMs }: { kept: boolean; isNews: boolean; periodMs: number }): number {
  if (isNews) return LEASE_REST_MS;
  return kept ? 0 : periodMs;
}
