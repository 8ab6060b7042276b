// Everything a gate remembers, as one plain value that is carried from run to run, and the steps that change it: pure.
import type {
  AdjustSignal,
  GateCounts,
  GateLimits,
  LeaseRequest,
  ReturnedSignal,
  SucceededSignal,
  ThrottledSignal,
} from '../contracts/gate';
import { LEARN_CLOSED_MS } from '../contracts/limits';
import { countsUnits, recordsFor, type UsedUnits, unitsOut, withRefund, withUsed } from './gate-allowance';
import { afterSuccess, afterThrottle, type GateClosing, isClosed, NEVER_CLOSED } from './gate-closing';
import { type RefusedEndpoint, withEndpointSuccess, withEndpointThrottle } from './gate-endpoints';
import { afterLook, afterRefusal, type GateUse, type Learning } from './gate-learning';
import type { PersonStop } from './gate-person';
import { countsStill, isActive, type ShareHolder, withApplied } from './gate-shares';

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
  pending?: number;
  /** What it declared, to see when that changes. */
  declared: string;
  ttlMs: number;
  /** Units that its next call needs; only where calls weigh differently. */
  wants?: number;
  /** Since when it was given too little for that call; left out while it is not waiting. */
  outSinceMs?: number;
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
  /** States of earlier versions have none. */
  endpoints?: RefusedEndpoint[];
  /** What a person has to mend, met first at `sinceMs`; states of earlier versions have none. */
  needsPerson?: PersonStop | null;
  /** What was found out about limits; states of earlier versions have none. */
  learning?: Learning;
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
    const spent = holder.spent + lost;
    return active || grants.length > 0 ? [{ ...holder, grants, spent, ...(lost > 0 ? { pending: 0 } : {}) }] : [];
  });
  return { ...state, holders, used, seenMs: nowMs, offsetMs };
}

/** Counts of a worker that comes anew begin where it says: what it sent on earlier leases was counted with them. */
function withCounts(state: GateState, holder: Holder | undefined, counts: GateCounts): GateState {
  if (!holder) return state;
  const since = (name: keyof GateCounts) => Math.max(0, (counts[name] ?? 0) - (holder.counts[name] ?? 0));
  const units = counts.sent - holder.spent;
  const settled = since('settled');
  // What was counted for it while it was lost and was not sent, and for workers of earlier versions what turned out lighter.
  const unsent = holder.wants === undefined ? 0 : Math.max(0, -units);
  return {
    ...state,
    used: withRefund(withUsed(state.used, units, state.seenMs), settled + unsent, state.seenMs),
    counts: {
      sent:
        state.counts.sent + (holder.wants === undefined ? since('sent') : counts.sent - holder.counts.sent - settled),
      succeeded: state.counts.succeeded + since('succeeded'),
      throttled: state.counts.throttled + since('throttled'),
    },
  };
}

export const replaceHolder = (holders: readonly Holder[], changed: Holder): Holder[] =>
  holders.some(({ worker }) => worker === changed.worker)
    ? holders.map((holder) => (holder.worker === changed.worker ? changed : holder))
    : [...holders, changed];

/** A worker was heard: it is there for as long as a lease lasts, and what it has applied and sent is known. */
export function heard(state: GateState, request: LeaseRequest): GateState {
  const { worker, applied, limits, ttlMs, inFlight, counts, pending, upMs, wants } = request;
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
    ...(pending === undefined ? {} : { pending }),
    ...(wants === undefined ? {} : { wants }),
    ...(before?.outSinceMs === undefined ? {} : { outSinceMs: before.outSinceMs }),
    activeUntilMs: nowMs + ttlMs,
    heardMs: nowMs,
    knownMs: before?.heardMs ?? nowMs,
    grants: before ? withApplied(before, applied, nowMs) : [],
    told: before?.told ?? '',
  };
  const holders = replaceHolder(counted.holders, holder);
  const used = recordsFor(limitsInForce(counted), counted.used);
  return withLook({ ...counted, holders, used }, changed && before !== undefined);
}

/** Workers that divide the account. */
export const activeHolders = ({ holders, seenMs }: GateState): Holder[] =>
  holders.filter((holder) => isActive(holder, seenMs));

function useOf(state: GateState): GateUse {
  const active = activeHolders(state);
  const { sent, succeeded, throttled } = state.counts;
  return {
    nowMs: state.seenMs,
    openSinceMs: state.closing.untilMs,
    declared: limitsInForce(state),
    workers: Math.max(1, active.length),
    inFlight: active.reduce((sum, { inFlight }) => sum + inFlight, 0),
    sent,
    answered: succeeded + throttled,
  };
}

/** What was learned under other limits is forgotten. */
function withLook(state: GateState, hasNewLimits: boolean): GateState {
  const { learning, ...rest } = state;
  if (!learning || hasNewLimits) return rest;
  return { ...rest, learning: afterLook(learning, isClosed(state.closing, state.seenMs), useOf(state)) };
}

/** A refusal that begins a closing after a success tells of limits; a long one is a quota or an outage, that of an endpoint is its own affair. */
export function throttled(state: GateState, message: ThrottledSignal): GateState {
  const { closing, seenMs, endpoints = [] } = state;
  const { load, reason, remainingMs, endpoint } = message;
  if (endpoint !== undefined) {
    return { ...state, endpoints: withEndpointThrottle(endpoints, seenMs, endpoint, message) };
  }
  const tells = reason === 'throttled' && remainingMs <= LEARN_CLOSED_MS && closing.firstThrottleMs === null;
  const next = { ...state, closing: afterThrottle(closing, seenMs, message) };
  if (!load || !tells || isClosed(closing, seenMs)) return next;
  return { ...next, learning: afterRefusal(state.learning, load, useOf(state)) };
}

/** A call of the account went through, or of the endpoint that is named. */
export function succeeded(state: GateState, { endpoint }: SucceededSignal): GateState {
  const { closing, seenMs, endpoints = [] } = state;
  if (endpoint === undefined) return { ...state, closing: afterSuccess(closing, seenMs) };
  return { ...state, endpoints: withEndpointSuccess(endpoints, seenMs, endpoint) };
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
  const { learning: _, ...kept } = state;
  const changed = { ...kept, adjusted: wanted };
  return { ...changed, used: recordsFor(limitsInForce(changed), state.used) };
}
