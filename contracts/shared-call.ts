// What rows and the shared calls that they wait for say to each other, and how far such a call is when it is handed on.
import { type JobState, takenOver, uncounted } from './job';
import type { RunScope } from './keys';
import type { Billing, CallOutcome, Cursor, Json, Receipt } from './outcomes';
import { FIRST_CURSOR } from './outcomes';
import type { Timing, ToolPlan } from './plan';
import type { SharedKeys } from './shared-keys';

/** One call of one row that waits for an answer. `call`: number of the call within its row, from 0. */
export interface Waiter {
  workflowId: string;
  runId: string;
  call: number;
}

export const waiterId = ({ workflowId, runId, call }: Waiter): string => `${workflowId} ${runId} ${call}`;

/** How a shared call ended. `holds`: durable holds that it went through. */
export type SharedEnd = Extract<CallOutcome, { kind: 'completed' | 'missed' | 'rejected' | 'unknown' }> & {
  holds: number;
};

/** A row that wants to leave. `keeps`: a job that was started already it goes on waiting for; only what was not sent is taken back. */
export type Leaver = Waiter & { keeps?: true };

/**
 * Signal from a shared call to a row: its end; or that the row's wish to leave was followed, with the job that had been started
 * for it; or that it stays, since the job runs that it `keeps`.
 */
export type CallAnswer =
  | { call: number; end: SharedEnd }
  | { call: number; left: true; job?: JobState }
  | { call: number; stays: true };

type Hold = Extract<CallOutcome, { kind: 'hold' }>;

/** How far a call is between two of its dispatches: what the next one, or the next run, needs to go on. */
export interface CallProgress {
  cursor: Cursor;
  /** First throttle without a success since. */
  throttledSinceMs: number | null;
  /** The last request that may have been charged. */
  billing?: Billing;
  holds: number;
  /** Dispatches whose worker was lost. */
  losses: number;
  /** The hold that it is in. */
  hold?: Hold;
  /** The job that was started. */
  job?: JobState;
  /** Since when it is waited for, or for the answer of a start that the provider works on: its deadline counts from here. */
  jobSinceMs?: number;
}

export const firstProgress = (): CallProgress => ({
  cursor: FIRST_CURSOR,
  throttledSinceMs: null,
  holds: 0,
  losses: 0,
});

/**
 * A call made anew after it had failed: all budgets are new, but a billing number that may have been charged stays, and a job that
 * was started is asked for again.
 */
export function progressOfNewTry({ cursor, job: left, isOwed }: EndedCall): CallProgress {
  const job = left && (isOwed ? uncounted(takenOver(left)) : takenOver(left));
  const retryFromInvocationAttempt = cursor.invocationAttempt;
  return {
    ...firstProgress(),
    cursor: { ...cursor, retryFromInvocationAttempt, throttles: 0 },
    ...(job ? { job, billing: job.billing } : {}),
  };
}

/** Input of the sharedCall workflow: the call, and what an earlier run of it hands on. */
export interface SharedCallInput {
  /** Map whose row asked first: its fair share of the provider's queue carries the call. */
  mapId: string;
  tool: ToolPlan;
  input: Json;
  keys: SharedKeys;
  timing: Timing;
  waiters: Waiter[];
  /** Rows that want to leave and have not been told yet. */
  leaving?: Leaver[];
  /** Bytes of JSON in which this run hands on to the next one; rows beyond that ask again by themselves. Missing = HAND_ON_BYTES. */
  handOnBytes?: number;
  /** Joins after which a run hands on to the next one while it rests; missing = HAND_ON_JOINS. */
  joinsPerRun?: number;
  progress?: CallProgress;
  /** It has ended, and `waiters` have not heard of it yet. `isClaimed`: one of them counts the purchase already. */
  ended?: { end: SharedEnd; isClaimed: boolean };
}

/** Detail of the failure that a call ends with when it may be bought anew: where that has to go on. */
export interface EndedCall {
  cursor: Cursor;
  /** A job that may still give its result. */
  job?: JobState;
  /** No row has counted what the start of the job cost. */
  isOwed?: true;
}

/** Input of the `joinCall` activity. */
export interface JoinInput {
  mapId: string;
  tool: ToolPlan;
  input: Json;
  timing: Timing;
  waiter: Waiter;
  /** An older answer is stale: milliseconds since 1970 on the workflow's clock. Fixed when the call begins, so that a repeated join finds what it bought. */
  freshFromMs?: number;
  /** Root run of a map that wants the answer bought anew. */
  forcedBy?: string;
  /** The answer is for this call of this row alone: a job of a tool that shares nothing. */
  scope?: RunScope;
}

/** `waiting`: the waiter is among those whom the call will tell. `ended`: its receipt was there. */
export type JoinAnswer = { kind: 'waiting'; callId: string } | { kind: 'ended'; callId: string; end: SharedEnd };

/** The receipt as those have it who did not buy. What a person said stays that. */
export const reusedReceipt = (receipt: Receipt, how: 'attached' | 'reused' = 'reused'): Receipt =>
  receipt.how === 'resolved' ? receipt : { ...receipt, how };

/** The end as others than its buyer count it: without its price, attempts and holds, which are the buyer's. */
export function endForOthers(end: SharedEnd, how: 'attached' | 'reused'): SharedEnd {
  if (end.kind === 'completed' || end.kind === 'missed') {
    return { ...end, receipt: reusedReceipt(end.receipt, how), cursor: FIRST_CURSOR, holds: 0 };
  }
  return end.kind === 'rejected' ? { ...end, charged: 0, attached: true, holds: 0 } : { ...end, holds: 0 };
}
