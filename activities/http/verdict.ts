// What one answer of a provider means for the call: the closed set of verdicts, and what the reader needs to reach one.
import type { HoldReason, HoldScope } from '../../contracts/outcomes';
import type { Profile } from './profiles/profile';
import type { TerminalCode, TransientCode } from './verdict-codes';

/** One header line as it stood on the wire; a name may come twice. */
export type HeaderLine = readonly [name: string, value: string];

/**
 * An answer whose headers arrived. `bodyPrefix`: the whole body of a 2xx, at most BODY_PREFIX_BYTES of anything else, decoded.
 * `bodyComplete`: nothing of the body is missing. `observedAtMs`: local wall clock when the headers arrived.
 */
export interface HttpAnswer {
  status: number;
  rawHeaders: readonly HeaderLine[];
  bodyPrefix: string;
  bodyComplete: boolean;
  observedAtMs: number;
}

export const TRANSPORT_CODES = [
  'CONNECT_FAILED',
  'STREAM_REFUSED',
  'RESET',
  'TIMED_OUT',
  'ABORTED',
  'BODY_CUT',
  'BODY_UNREADABLE',
  'TOO_LARGE',
  'ANSWER_INVALID',
  'REQUEST_INVALID',
] as const;
export type TransportCode = (typeof TRANSPORT_CODES)[number];

/** No usable answer. `sent`: a byte of the request may have left. `answerStarted`: the headers of an answer arrived. */
export interface TransportFailure {
  transportError: { code: TransportCode; sent: boolean; answerStarted?: boolean };
  observedAtMs: number;
}

export type Answer = HttpAnswer | TransportFailure;

/** Everything else the verdict depends on; budgets left out take the values of contracts/limits. */
export interface ReadContext {
  /** `idempotent`: repeating the request changes and costs nothing. `keyed`: it carries a key under which it is done once. */
  request: { method: string; idempotent: boolean; keyed: boolean };
  profile: Profile;
  /** This request's number within its budget, from 1. */
  attempt: number;
  maxAttempts?: number;
  /** k of the rules: throttle answers in a row on the scope, from 1, should this answer be one. */
  throttleNumber: number;
  maxThrottles?: number;
  /** Longest wait that is held, in milliseconds; a longer one ends the call and keeps its instant. */
  maxHoldMs?: number;
  /** Upper bound of the backoff between transient failures, in milliseconds; never applied to what a server asks for. */
  transientCapMs?: number;
  /** Local wall clock after which nobody wants the row's result any more. */
  deadlineMs?: number;
  /** The caller gave up. */
  aborted?: boolean;
  /** What a 2xx body must be; default `json`. */
  expects?: 'json' | 'any';
  /** The row's id inside a batch answer, for profiles that know batches. */
  batchItem?: string;
  /** Draws a number in [0, 1). */
  random: () => number;
}

/** The scope waits until the instant before its next request. */
export interface ScopeHold {
  retryAtMs: number;
  scope: HoldScope;
  said?: string;
}

export type HoldCode = 'QUOTA_EXHAUSTED' | 'PENDING';

/**
 * Instants are on the local wall clock, in whole milliseconds, before jitter; a caller adds `jitterMs` to what is left until then.
 * `said`: where the answer names the wait, and what stands there, such as `Retry-After: 30`; left out when nothing usable does.
 */
export type Verdict =
  /** The row is done; `NO_MATCH` is a documented "nothing found". `hold`: the scope waits before its next request. */
  | { kind: 'success'; code?: 'NO_MATCH'; hold?: ScopeHold }
  /** The scope waits; no attempt of the row is used. */
  | { kind: 'hold'; reason: HoldReason; scope: HoldScope; retryAtMs: number; said?: string; code?: HoldCode }
  /** This row failed once; the same request, under the same key, may go again. `retryAtMs` is drawn, it needs no more jitter. */
  | { kind: 'transient'; scope: 'row'; retryAtMs: number; code: TransientCode }
  /**
   * No more requests for the scope, with `retryAtMs` only until then. `needsPerson`: time alone does not cure it.
   * `hold`: the row ends, and the scope waits all the same (DEADLINE_BEFORE_RETRY).
   */
  | {
      kind: 'terminal';
      scope: HoldScope;
      code: TerminalCode;
      needsPerson: boolean;
      retryAtMs?: number;
      said?: string;
      hold?: ScopeHold;
    };
