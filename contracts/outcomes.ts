// What one dispatch of a tool call answers. A hold is a value here, never an error (design 2, rule 1).
import type { CallFailureCode } from './failures';
import type { JobState } from './job';
import type { SharedKeys } from './shared-keys';

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A value too large for history: its place in the run store, sha256 of its JSON text, and its size. `store`: of a shared answer, else its map's. */
export interface StoredValue {
  $stored: { ref: string; digest: string; bytes: number; store?: string };
}

/**
 * Where the retries of one logical call stand; input and output of every dispatch, so history holds it (rule 5).
 * `invocationAttempt`: requests sent so far. `retryFromInvocationAttempt`: the attempt the transient budget counts from; a throttle moves both.
 * `throttles`: throttle answers in a row. `billingNumber`: n of the billing request (rule 6).
 * `billingState`: what became of the requests under that number. `refused` = all of them for certain, which a cursor in history has
 * already answered with the next number; `open` = one may have been charged, so the number stays whatever the provider says next.
 */
export interface Cursor {
  invocationAttempt: number;
  retryFromInvocationAttempt: number;
  throttles: number;
  billingNumber: number;
  billingState?: 'refused' | 'open';
}

export const FIRST_CURSOR: Cursor = {
  invocationAttempt: 0,
  retryFromInvocationAttempt: 0,
  throttles: 0,
  billingNumber: 0,
};

/**
 * Why a call waits. `gate_closed`, `pacing`, `worker_shutdown`, `run_store` (the worker has not the map's store), `tool_unknown` (it
 * has not the tool) and `tool_changed` (it has another version than the map) use no budget at all; `job_running` has the job's deadline.
 */
export type HoldReason =
  | 'throttled'
  | 'quota'
  | 'unavailable'
  | 'row_locked'
  | 'job_running'
  | 'transient'
  | 'gate_closed'
  | 'pacing'
  | 'worker_shutdown'
  | 'run_store'
  | 'tool_unknown'
  | 'tool_changed';

/** What is held: this row only, the tool's endpoint, the account, or every account of the provider. */
export type HoldScope = 'row' | 'endpoint' | 'account' | 'provider';

/** Identity of the request that may have been charged: what a person needs to settle an unknown outcome. */
export interface Billing {
  billingRequestId: string;
  idempotencyKey: string | null;
  sentAtMs: number;
  invocationAttempt: number;
  providerRequestId?: string;
}

/** Who said what became of a call whose outcome nobody knew. `by`: `<user>@<host>`. `atMs`: on the server's clock. */
export interface Resolved {
  by: string;
  atMs: number;
  reason?: string;
}

/** The proof of one answer, kept in history: which answer it is, what it cost, and when. */
export interface Receipt {
  receiptKey: string;
  tool: string;
  toolVersion: string;
  provider: string;
  account: string;
  inputDigest: string;
  billing: Billing;
  status: number | null;
  price: number;
  answeredAtMs: number;
  /** `resolved`: a person gave the answer, see `resolved`. */
  how: 'executed' | 'reused' | 'attached' | 'resolved';
  resolved?: Resolved;
}

/** Every end of one dispatch. `withdrawn`: nothing that could be charged is under way, dispatch again or leave it; `billing` as in a hold. */
export type CallOutcome =
  | { kind: 'completed'; value: Json | StoredValue; receipt: Receipt; cursor: Cursor }
  | { kind: 'missed'; receipt: Receipt; cursor: Cursor }
  | {
      kind: 'hold';
      reason: HoldReason;
      scope: HoldScope;
      /** On the clock of the worker; a workflow counts `remainingMs` from its own. */
      retryAtMs: number;
      remainingMs?: number;
      cursor: Cursor;
      status?: number;
      detail?: string;
      /** The dispatch had no answer: its worker was lost. Only the workflow says so. */
      isLost?: true;
      /** A request that may have been charged, should the call end here. */
      billing?: Billing;
      /** The job that it waits for. */
      job?: JobState;
    }
  | {
      kind: 'rejected';
      code: CallFailureCode;
      message: string;
      cursor: Cursor;
      status?: number;
      /** As in a hold. */
      retryAtMs?: number;
      remainingMs?: number;
      repairable: boolean;
      billing?: Billing;
      charged: number;
      /** Another row made the call. */
      attached?: true;
      /** A person settled the call as failed; `inputDigest` as a receipt has it. */
      resolved?: Resolved & { inputDigest: string };
      /** The job whose result it is without. */
      job?: JobState;
    }
  | { kind: 'unknown'; code: CallFailureCode; message: string; cursor: Cursor; billing: Billing }
  | { kind: 'withdrawn'; cursor: Cursor; billing?: Billing };

/**
 * Heartbeat details of a call under way. On the server before a call that cannot be repeated is sent (rule 7); of one that may be
 * repeated under its key soon after, so that a loss does not hide under which id it may have been charged.
 */
export interface SendingMark {
  phase: 'sending';
  billing: Billing;
}

/** Input of the `dispatch` activity. */
export interface DispatchInput {
  mapId: string;
  rowIdentity: string;
  column: string;
  tool: string;
  account: string;
  input: Json;
  /** As admitted. A worker whose tool has another version leaves the call to others: its answer would be filed under the wrong one. */
  toolVersion: string;
  /** Run that admitted the row; with `occurrence`, the how-manieth equal call of the row this is, it scopes the receipt. */
  admittedByRunId: string;
  occurrence: number;
  cursor: Cursor;
  /** How long the call slept on its last hold, if it did. */
  heldMs?: number;
  /** Identities of a shared call; without them the receipt is scoped to the row. */
  shared?: SharedKeys;
  /** A job that was started: this request is about it. */
  job?: JobState;
  cancelGraceMs: number;
  /** Row workflow to ask, when this activity is cancelled, whether the map is paused or cancelled. */
  row: { workflowId: string; runId: string };
}

/** Which logical call a dispatch belongs to, whichever worker sends it: what its receipt is filed under. */
export type CallIdentity = Pick<
  DispatchInput,
  'shared' | 'tool' | 'toolVersion' | 'account' | 'input' | 'admittedByRunId' | 'rowIdentity' | 'occurrence'
>;
