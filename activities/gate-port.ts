// What a dispatch needs from the gate of its provider account; the worker implements it (worker/gates/).
import type { Units } from '../contracts/gate';
import type { HoldReason } from '../contracts/outcomes';

/** Finds the gate of one account of one provider. Throws when no such account was declared to this worker. */
export type GateLookup = (provider: string, account: string) => Gate;

/** Everything that may be sent to one provider account goes through its gate. All `…AtMs` and `…UntilMs` are local wall-clock instants. */
export interface Gate {
  /** Nobody is sent before this instant; null = open. */
  closedUntilMs(): number | null;
  /**
   * Waits in order of arrival for a permit: gate open, concurrency, every window. Answers `wait` as soon as it is clear that `maxWaitMs`
   * (counted on the monotonic clock) will not do, at the latest when it is over; 0 = permit at once or not at all. Never rejects for an abort.
   * Throws RangeError when `weight` (default 1) is not above 0 or is more than a window ever admits.
   */
  acquire(request: AcquireRequest): Promise<GateAnswer>;
  /** Throttle answers in a row so far, one for each closing; for the answer at hand ask {@link Permit.throttleNumber}. */
  consecutiveThrottles(): number;
  /** A person must act (credits, key): no worker sends anything to this account until its gate is resumed. Waiting calls are answered at once. */
  needsPerson(message: string): void;
  /** A wait inside the activity begins, after its permit was released: until the returned function is called one more slot may be given out. */
  residentWait(): () => void;
}

export interface AcquireRequest {
  /** Units that this call uses of each window of requests; default 1. */
  weight?: number;
  /** The most that this call uses of limits in other units, by unit; left out = nothing. */
  units?: Units;
  /** Name of the tool: a closing of its endpoint alone holds back its calls and no others. */
  endpoint?: string;
  maxWaitMs: number;
  /** Answers `stopped` at once; the caller knows whether that was a cancel or a shutdown. */
  signal: AbortSignal;
}

/** Why a call is not sent: wait as a hold until the instant, stop, or end the call without sending. */
export type GateRefusal =
  | { kind: 'wait'; reason: Extract<HoldReason, 'gate_closed' | 'pacing'>; retryAtMs: number }
  | { kind: 'stopped' }
  /** Heavier than a whole window: it would never be sent. */
  | { kind: 'too_heavy'; message: string }
  | { kind: 'exhausted'; code: 'PROVIDER_EXHAUSTED' | 'NEEDS_PERSON'; message: string; retryAtMs: number | null };

export type GateAnswer = { kind: 'permit'; permit: Permit } | GateRefusal;

/** The right to send one request. Release it in a `finally`: until then it uses up one unit of concurrency. */
export interface Permit {
  /**
   * Call this right before the request is handed to its connection, with nothing awaited in between. null = send now.
   * Otherwise the gate closed after the permit was given: do not send, release. A permit that is released without this has used no window.
   */
  startSending(): GateRefusal | null;
  /** The first byte leaves now, after a connection was found or made: the call counts from here. At most once, after `startSending`. */
  leaving(): void;
  /** The answer is here, or none will come: what it took longer than others bounds how late the provider may have counted the call. */
  answered(): void;
  /** What the call has used, as its answer says: takes the place of the most that was counted. Units that it does not tell stay as they are. */
  used(units: Units): void;
  /** An answer that is no throttle came back, a miss or a 4xx of the row included: the provider lets us in. A 5xx or a lost connection is none. */
  succeeded(): void;
  /** The k of the rate-limit rules (1 = first in a row) if the answer to this very call is a throttle; calls that were in flight together share one k. */
  throttleNumber(): number;
  /** Closes the gate. Returns the instant with jitter, merged with what was known: the later one wins. Throws RangeError when `retryAtMs` is not finite. */
  throttled(closing: Closing): number;
  /** A success asked to wait: nothing is sent before the instant, and nothing counts as a throttle. */
  restUntil(closing: Closing): void;
  /** Gives the concurrency back: at the end of the request, or when a wait inside the activity begins. Idempotent. */
  release(): void;
}

/** What a throttle answer said, read and clamped by the rate-limit rules. */
export interface Closing {
  retryAtMs: number;
  reason: HoldReason;
  status?: number;
  /** Where the answer names the wait, and what stands there: `Retry-After: 30`. */
  said?: string;
  /** `endpoint` closes only for the tool of this call; `provider` the gates of all accounts; default `account`. */
  scope?: 'endpoint' | 'account' | 'provider';
}
