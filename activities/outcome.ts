// From the end of one request to what happens next: the call ends, or it waits until an instant. Pure; here a 429 becomes a hold.
import { attemptNumber, mayBeCharged } from '../contracts/cursor';
import { TRANSIENT_ATTEMPTS } from '../contracts/limits';
import type {
  Billing,
  CallOutcome,
  Cursor,
  HoldReason,
  HoldScope,
  Json,
  Receipt,
  StoredValue,
} from '../contracts/outcomes';
import type { AttemptEnd } from './attempt';
import type { GateRefusal } from './gate-port';

/** A wait: inside the activity while it fits into the resident budget, else returned as a hold. */
export interface Wait {
  kind: 'wait';
  reason: HoldReason;
  scope: HoldScope;
  retryAtMs: number;
  cursor: Cursor;
  status?: number;
  detail?: string;
  /** The request before this wait may have been charged. */
  billing?: Billing;
}

export type NextStep = Wait | { kind: 'end'; outcome: CallOutcome };

/** Facts of the call that its outcome tells. */
export interface CallFacts {
  billing: Billing;
  receipt: Omit<Receipt, 'status' | 'billing'>;
  /** What a documented miss cost: nothing, but for a job that was charged at its start. */
  missPrice?: number;
}

/** The provider released what it had reserved for this request; an earlier one under the same number may still have been charged. */
const released = (cursor: Cursor): Cursor => ({ ...cursor, billingState: cursor.billingState ?? 'refused' });

const answered = ({ billingState: _, ...cursor }: Cursor): Cursor => cursor;

/** A final 4xx is a definite refusal: whoever starts the call anew asks for a new charge (rule 6). */
const cursorAfterRejection = (cursor: Cursor, status = 0): Cursor =>
  status >= 400 && status < 500 ? released(cursor) : cursor;

/** A throttle costs no attempt of the row (rule 8): the budget's start moves with it. */
const cursorAfterThrottle = (cursor: Cursor, isDefinite: boolean): Cursor => ({
  ...(isDefinite ? released(cursor) : mayBeCharged(cursor)),
  retryFromInvocationAttempt: cursor.retryFromInvocationAttempt + 1,
  throttles: cursor.throttles + 1,
});

/** A start that the provider works on uses no budget of throttles: the deadline of its job bounds it. */
const cursorAfterPending = (cursor: Cursor): Cursor => ({
  ...mayBeCharged(cursor),
  retryFromInvocationAttempt: cursor.retryFromInvocationAttempt + 1,
});

/**
 * The cursor as it goes into history, where alone a billing number may advance: a number that only a worker knew would be lost
 * with it, and the next worker would ask under the old one for what was charged under the new one.
 */
export function cursorForHistory(cursor: Cursor): Cursor {
  if (cursor.billingState !== 'refused') return cursor;
  return { ...answered(cursor), billingNumber: cursor.billingNumber + 1 };
}

/**
 * Requests about a job that runs say nothing about what may be charged: the number of its start stays. Only a job that has failed
 * for good frees it, so that whoever asks again starts another one.
 */
export function cursorOfJob(outcome: CallOutcome, { billingNumber, billingState }: Cursor): Cursor {
  const { billingState: _, ...cursor } = outcome.cursor;
  const hasFailed = outcome.kind === 'rejected' && outcome.code === 'ASYNC_OPERATION_FAILED';
  if (hasFailed) return { ...cursor, billingNumber: billingNumber + 1 };
  return { ...cursor, billingNumber, ...(billingState ? { billingState } : {}) };
}

const withRequestId = (billing: Billing, providerRequestId: string | undefined): Billing =>
  providerRequestId === undefined ? billing : { ...billing, providerRequestId };

/** What follows from the end of a request. `cursor` already counts it; `storedValue` replaces a value too large for history. */
export function stepAfterAttempt(
  end: AttemptEnd,
  cursor: Cursor,
  facts: CallFacts,
  storedValue?: StoredValue,
): NextStep {
  const { billing } = facts;
  const ended = (outcome: CallOutcome): NextStep => ({ kind: 'end', outcome });
  switch (end.kind) {
    case 'value': {
      const receipt: Receipt = {
        ...facts.receipt,
        billing: withRequestId(billing, end.providerRequestId),
        status: end.status,
      };
      return ended({ kind: 'completed', value: storedValue ?? (end.value as Json), receipt, cursor: answered(cursor) });
    }
    case 'missed': {
      const receipt = {
        ...facts.receipt,
        billing: withRequestId(billing, end.providerRequestId),
        status: end.status,
        price: facts.missPrice ?? 0,
      };
      return ended({ kind: 'missed', receipt, cursor: answered(cursor) });
    }
    case 'job': {
      // At once to the workflow: its job is in history before anything else can be lost.
      const { job, retryAtMs, status, detail } = end;
      const known = { ...job, billing: job.billing ?? withRequestId(billing, end.providerRequestId) };
      const hold = { kind: 'hold', reason: 'job_running', scope: 'row', retryAtMs, job: known } as const;
      return ended({
        ...hold,
        cursor: { ...answered(cursor), retryFromInvocationAttempt: cursor.invocationAttempt, throttles: 0 },
        billing: known.billing,
        ...(status === null ? {} : { status }),
        ...(detail === undefined ? {} : { detail }),
      });
    }
    case 'hold': {
      const { reason, scope, retryAtMs } = end;
      const next = reason === 'job_running' ? cursorAfterPending(cursor) : cursorAfterThrottle(cursor, end.isDefinite);
      return {
        kind: 'wait',
        reason,
        scope,
        retryAtMs,
        cursor: next,
        ...(end.status === undefined ? {} : { status: end.status }),
        ...(end.said === undefined ? {} : { detail: end.said }),
        ...(end.isDefinite ? {} : { billing }),
      };
    }
    case 'transient': {
      const next = { ...mayBeCharged(cursor), throttles: 0 };
      if (attemptNumber(next) > TRANSIENT_ATTEMPTS) {
        const message = `${end.message}; gave up after ${TRANSIENT_ATTEMPTS} attempts`;
        const rest = end.status === undefined ? {} : { status: end.status };
        return ended({
          kind: 'rejected',
          code: 'RETRIES_EXHAUSTED',
          message,
          cursor: next,
          repairable: true,
          billing,
          charged: 0,
          ...rest,
        });
      }
      return {
        kind: 'wait',
        reason: 'transient',
        scope: 'row',
        retryAtMs: end.retryAtMs,
        cursor: next,
        detail: end.code,
        billing,
      };
    }
    case 'rejected': {
      const { code, message, repairable, charged } = end;
      const next = cursorAfterRejection(cursor, end.status);
      const told = withRequestId(billing, end.providerRequestId);
      const outcome: CallOutcome = {
        kind: 'rejected',
        code,
        message,
        cursor: next,
        repairable,
        charged,
        billing: told,
      };
      if (end.status !== undefined) outcome.status = end.status;
      if (end.retryAtMs !== undefined) outcome.retryAtMs = end.retryAtMs;
      if (end.job) outcome.job = end.job;
      return ended(outcome);
    }
    case 'ambiguous':
      return ended({
        kind: 'unknown',
        code: end.code,
        message: end.message,
        cursor: mayBeCharged(cursor),
        billing: withRequestId(billing, end.providerRequestId),
      });
    case 'aborted':
      return ended({ kind: 'withdrawn', ...(end.sent ? { cursor: mayBeCharged(cursor), billing } : { cursor }) });
  }
}

/** What follows when the gate gives no permit: nothing was sent and no budget is used. */
export function stepAfterRefusal(refusal: Exclude<GateRefusal, { kind: 'stopped' }>, cursor: Cursor): NextStep {
  if (refusal.kind === 'wait') {
    return { kind: 'wait', reason: refusal.reason, scope: 'account', retryAtMs: refusal.retryAtMs, cursor };
  }
  if (refusal.kind === 'too_heavy') {
    const { message } = refusal;
    const code = 'QUERY_TOO_EXPENSIVE';
    return { kind: 'end', outcome: { kind: 'rejected', code, message, cursor, repairable: false, charged: 0 } };
  }
  const { code, message, retryAtMs } = refusal;
  const outcome: CallOutcome = { kind: 'rejected', code, message, cursor, repairable: true, charged: 0 };
  if (retryAtMs !== null) outcome.retryAtMs = retryAtMs;
  return { kind: 'end', outcome };
}

/** What is left until the instant: a duration, since the workflow that waits has another clock. */
export function withRemaining(outcome: CallOutcome, nowMs: number): CallOutcome {
  if (outcome.kind !== 'hold' && outcome.kind !== 'rejected') return outcome;
  const { retryAtMs } = outcome;
  return retryAtMs === undefined || !Number.isFinite(retryAtMs)
    ? outcome
    : { ...outcome, remainingMs: Math.max(0, Math.ceil(retryAtMs - nowMs)) };
}

export function holdOf({ reason, scope, retryAtMs, cursor, status, detail }: Wait): CallOutcome {
  return {
    kind: 'hold',
    reason,
    scope,
    retryAtMs,
    cursor,
    ...(status === undefined ? {} : { status }),
    ...(detail === undefined ? {} : { detail }),
  };
}
