// What a dispatch that ended by an error means: withdrawn, lost on its way, or broken. Pure.
import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import { attemptNumber, cursorAfterSend, mayBeCharged } from '../contracts/cursor';
import { TRANSIENT_ATTEMPTS } from '../contracts/limits';
import type { CallOutcome, Cursor, SendingMark } from '../contracts/outcomes';
import type { ToolPlan } from '../contracts/plan';
import { isUnrepeatable } from '../contracts/repeatable';

const markOf = (failure: TimeoutFailure): SendingMark | null => {
  const details = failure.lastHeartbeatDetails as SendingMark | { phase: string } | undefined;
  return details?.phase === 'sending' ? (details as SendingMark) : null;
};

/** The request may have been under way when its worker was lost, and charged. */
const cursorAfterLoss = (cursor: Cursor): Cursor => mayBeCharged(cursorAfterSend(cursor));

export interface LossContext {
  tool: ToolPlan;
  cursor: Cursor;
  /** Dispatches of this call that were lost before this one. */
  losses: number;
  nowMs: number;
}

/**
 * Outcome of a dispatch whose worker was lost. An unrepeatable call with a sending mark is `unknown`; without one it was
 * never sent. Everything else goes out again under the same billing id, within the transient budget.
 */
function outcomeOfTimeout(failure: TimeoutFailure, { tool, cursor, losses, nowMs }: LossContext): CallOutcome {
  const mark = markOf(failure);
  const unrepeatable = isUnrepeatable(tool);
  if (unrepeatable && mark) {
    const message = 'the worker was lost after the request was sent; whether the provider answered is not known';
    return { kind: 'unknown', code: 'WORKER_LOST', message, cursor: cursorAfterLoss(cursor), billing: mark.billing };
  }
  const next = unrepeatable ? cursor : cursorAfterLoss(cursor);
  const doubt = mark ? { billing: mark.billing } : {};
  if (losses + 1 >= TRANSIENT_ATTEMPTS || attemptNumber(next) > TRANSIENT_ATTEMPTS) {
    const message = `the worker was lost ${losses + 1} times while it had this call`;
    return { kind: 'rejected', code: 'WORKER_LOST', message, cursor: next, repairable: true, charged: 0, ...doubt };
  }
  const hold = { kind: 'hold', reason: 'transient', scope: 'row', retryAtMs: nowMs, cursor: next } as const;
  return { ...hold, detail: 'worker lost', isLost: true, ...doubt };
}

/** Turns what `dispatch` threw into an outcome; only what is no failure of the activity is thrown on. */
export function outcomeOfError(error: unknown, context: LossContext): CallOutcome {
  if (isCancellation(error)) return { kind: 'withdrawn', cursor: context.cursor };
  if (!(error instanceof ActivityFailure)) throw error;
  if (error.cause instanceof TimeoutFailure) return outcomeOfTimeout(error.cause, context);
  const message = error.cause instanceof ApplicationFailure ? error.cause.message : error.message;
  return { kind: 'rejected', code: 'TOOL_FAILED', message, cursor: context.cursor, repairable: false, charged: 0 };
}
