// What workers and the gate of a provider account tell each other. Only durations travel between their clocks; instants are shown to people alone.
import type { HoldReason } from './outcomes';

/** At most `limit` units (≥ 0, 0 = none) in any `perMs` milliseconds. */
export interface GateWindow {
  limit: number;
  perMs: number;
}

/** Limits of an account, or a worker's part of them. Every window holds at the same time; `concurrency` null = no limit. */
export interface GateLimits {
  rate: GateWindow[];
  concurrency: number | null;
}

/** What one worker had going when a call was sent that was refused: calls of the second before, and those without an answer. */
export interface GateLoad {
  perSecond: number;
  inFlight: number;
}

/** One worker's part of what was learned about an account; null = nothing was learned of it. */
export interface GatePace {
  rate: GateWindow | null;
  concurrency: number | null;
}

/** What a call uses of limits in other units than requests, by unit: tokens, credits. Numbers ≥ 0. */
export interface Units {
  [unit: string]: number;
}

/** Counts of one worker since it started, in requests. `sent` is in units of the windows, each call with the most that it may use. */
export interface GateCounts {
  sent: number;
  /** Units by which calls turned out lighter, while they lay in every window; what is given back counts no more, but only from the report on. Left out by gates of requests. */
  settled?: number;
  succeeded: number;
  throttled: number;
}

/** Update `lease`: asks for a share, or renews it. */
export interface LeaseRequest {
  /** Unique for each process. */
  worker: string;
  /** Grows with each request of this worker: one that was overtaken changes nothing. */
  request: number;
  /** Number of the last lease that the worker has applied; 0 = none. Earlier ones are over. */
  applied: number;
  /** As the worker's provider file declares them. */
  limits: GateLimits;
  /** The lease ends so long after the request left. */
  ttlMs: number;
  /** The gate may keep the answer back for so long when it has no news. */
  waitMs: number;
  inFlight: number;
  counts: GateCounts;
  /** Units of calls that have been let in and are not sent yet: they are sent whatever the next lease says. Left out where there are none. */
  pending?: number;
  /** How long ago the worker was started. A worker that is younger than a person's call tries anew: it may have a new key. */
  upMs?: number;
  /** Units that the call at the head of its line needs, 0 = none waits. Only of a gate whose calls weigh differently. */
  wants?: number;
}

/** Answer of the update `lease`. */
export interface Lease {
  number: number;
  /** Part of the limits. Windows longer than PART_WINDOW_MS are not in it: their units are counted, see `allowance`. */
  share: GateLimits;
  /** Units that the worker may send altogether since it started, by `counts.sent`, pending ones among them; null = no long window. */
  allowance: number | null;
  /** When the allowance is used up there may be more after this time. */
  moreAfterMs: number;
  ttlMs: number;
  /** The worker asks again after so long; 0 = at once, the gate keeps the answer back. */
  restMs: number;
  paused: boolean;
  closing: ToldClosing | null;
  /** Throttle answers in a row over all workers. */
  throttlesInARow: number;
  /** Time since the first throttle without any success; null = there was none. */
  noProgressMs: number | null;
  /** Holds beside the share; null or left out = nothing was learned. */
  pace?: GatePace | null;
  /** Why nothing is sent until a person has acted; null or left out = nobody has to. */
  needsPerson?: string | null;
  /** Endpoints that were refused and have not let anybody in since. Gates of earlier versions know of none and leave it out. */
  endpoints?: ToldEndpoint[];
  /** What the heaviest call may weigh: the smallest limit in force. Left out for a gate whose calls weigh alike, and where there is no limit. */
  heaviest?: number;
  /** Of the windows in force: a call that lasts longer is not given back. Left out with `heaviest`. */
  shortestWindowMs?: number;
}

/** What all workers know of one endpoint; the fields as in {@link Lease}. */
export interface ToldEndpoint {
  /** Name of its tool. */
  endpoint: string;
  closing: ToldClosing | null;
  throttlesInARow: number;
  noProgressMs: number | null;
}

/** A closing that is in force. `number` grows whenever its end moves. */
export interface ToldClosing {
  number: number;
  remainingMs: number;
  reason: HoldReason;
  status: number | null;
}

/** Signal `throttled`: closes the gate for at least `remainingMs` (≥ 0). */
export interface ThrottledSignal {
  remainingMs: number;
  reason: HoldReason;
  status?: number;
  /** Where the answer names the wait, and what stands there: `Retry-After: 30`. Left out by earlier versions, and where it says nothing. */
  said?: string;
  /** An answer that was none of a refusal said so: the gate rests, and nothing is counted as a throttle. */
  isRest?: true;
  /** When the refused call was sent. */
  load?: GateLoad;
  /** Name of the tool whose endpoint alone is closed; left out = the account. A gate of an earlier version closes the account. */
  endpoint?: string;
}

/** Signal `succeeded`: a call that was sent after the last closing went through. */
export interface SucceededSignal {
  /** As in {@link ThrottledSignal}. */
  endpoint?: string;
}

/** Signal `needsPerson`: nothing is sent to the account by workers that were started before, until `resume`. */
export interface NeedsPersonSignal {
  message: string;
  /** How long ago the worker that met it was started. */
  upMs: number;
}

/** Signal `returned`: the worker has stopped sending, its lease ends now. */
export interface ReturnedSignal {
  worker: string;
  request: number;
  counts: GateCounts;
}

/** Signal `adjust`: limits that take the place of the declared ones. What is left out stays; null goes back to the declared. */
export interface AdjustSignal {
  rate?: GateWindow[] | null;
  concurrency?: number | null;
}

/** Answer of the query `status`. Instants are those of the server's clock, as of the last change. */
export interface GateStatus {
  asOfMs: number;
  paused: boolean;
  /** Null while no worker has declared them. */
  declared: GateLimits | null;
  adjusted: AdjustSignal;
  inForce: GateLimits;
  closedUntilMs: number | null;
  reason: HoldReason | null;
  status: number | null;
  /** As in {@link ThrottledSignal}; gates of earlier versions leave it out. */
  said?: string | null;
  throttlesInARow: number;
  firstThrottleAtMs: number | null;
  /** Limits that were found out, since when and from how many answers; `pin` are the lines for the provider file. Null = none. */
  learned?: {
    perSecond: number | null;
    concurrency: number | null;
    sinceMs: number;
    answers: number;
    pin: string;
  } | null;
  /** What a person has to mend before anything is sent; ended by `resume`. Gates of earlier versions leave it out. */
  needsPerson?: { message: string; sinceMs: number } | null;
  /** Endpoints that were refused and have not let anybody in since. Gates of earlier versions leave it out. */
  endpoints?: EndpointStatus[];
  /** Since the gate was started. */
  counts: GateCounts;
  workers: GateWorker[];
}

/** One endpoint of an account; the fields as in {@link GateStatus}. `endpoint`: name of its tool. */
export interface EndpointStatus
  extends Pick<GateStatus, 'closedUntilMs' | 'throttlesInARow' | 'firstThrottleAtMs' | 'reason' | 'status' | 'said'> {
  endpoint: string;
}

export interface GateWorker {
  worker: string;
  share: GateLimits;
  /** Units left of what was counted out to it, as last reported; null = nothing is counted. */
  unitsLeft: number | null;
  leaseEndsAtMs: number;
  inFlight: number;
}
