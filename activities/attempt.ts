// What one request of a call ended in, whichever kind of tool it was; and what dispatch lends to an attempt.
import type { CallFailureCode } from '../contracts/failures';
import type { Units } from '../contracts/gate';
import type { JobState } from '../contracts/job';
import type { DispatchInput, HoldReason, HoldScope, Json } from '../contracts/outcomes';

/** The provider announced that the next request has to wait. */
export interface LaterHold {
  retryAtMs: number;
  scope: HoldScope;
  said?: string;
}

/** `said`: where an answer names its wait, and what stands there: `Retry-After: 30`. */
export type AttemptEnd =
  | {
      kind: 'value';
      value: Json;
      status: number | null;
      providerRequestId?: string;
      laterHold?: LaterHold;
    }
  | { kind: 'missed'; status: number | null; providerRequestId?: string }
  /** A job that was started, or goes on: nothing is asked of it before the instant. A start has no `billing` of its own yet. */
  | {
      kind: 'job';
      job: Omit<JobState, 'billing'> & Partial<Pick<JobState, 'billing'>>;
      retryAtMs: number;
      status: number | null;
      detail?: string;
      providerRequestId?: string;
      laterHold?: LaterHold;
    }
  /** `isDefinite`: the provider refused and released what it may have reserved, so the next try is a new billing request. */
  | {
      kind: 'hold';
      reason: HoldReason;
      scope: HoldScope;
      retryAtMs: number;
      status?: number;
      said?: string;
      isDefinite: boolean;
    }
  | { kind: 'transient'; code: string; message: string; retryAtMs: number; status?: number }
  | {
      kind: 'rejected';
      code: CallFailureCode;
      message: string;
      scope: HoldScope;
      needsPerson: boolean;
      repairable: boolean;
      status?: number;
      retryAtMs?: number;
      said?: string;
      charged: number;
      providerRequestId?: string;
      /** The job that has failed, as it stood last. */
      job?: JobState;
    }
  /** The request may have been charged and must not be sent again. */
  | { kind: 'ambiguous'; code: CallFailureCode; message: string; providerRequestId?: string }
  /** Given up by a cancel or a shutdown. */
  | { kind: 'aborted'; sent: boolean };

/** One request of a call, before it is prepared. */
export interface AttemptRequest {
  input: DispatchInput;
  idempotencyKey: string;
  /** Number of this request within the transient budget, from 1. */
  attempt: number;
  throttleNumber: number;
}

/** Where a request tells how far it is, for those who count it. */
export interface SendMarks {
  /** The first byte leaves now. */
  leaving(): void;
  /** The answer is here, or none will come. */
  answered(): void;
  /** What the answer says the call has used of limits in other units than requests. */
  used(units: Units): void;
}

/** A request that is ready to leave. Never rejects; `signal` gives it up. */
export type Send = (signal: AbortSignal, marks: SendMarks) => Promise<AttemptEnd>;

/** Why a request could not even be built: nothing was sent, nothing charged, and the provider knows nothing of it. */
export interface NotSendable {
  code: CallFailureCode;
  message: string;
  repairable: boolean;
}

/** Builds the request: secrets are read and templates filled in here, so that nothing is awaited between permit and wire. Never rejects. */
export type Prepare = (request: AttemptRequest) => Promise<Send | NotSendable>;
