// From a delay to a verdict: floors, the longest hold, budgets, the row's deadline. A server's wait is never shortened.
import { MAX_HOLD_MS, MAX_THROTTLES, TRANSIENT_ATTEMPTS, ZERO_FLOOR_MS } from '../../contracts/limits';
import type { HoldReason, HoldScope } from '../../contracts/outcomes';
import { subsecondFloorMs, throttleMs, transientMs } from './backoff';
import { instantAfter } from './clock';
import type { Hint } from './hint';
import type { HoldCode, ReadContext, Verdict } from './verdict';
import type { TransientCode } from './verdict-codes';

/** A class that waits. */
export interface Wait {
  reason: HoldReason;
  scope: HoldScope;
  /** What the answer says of the wait; null = nothing. */
  hint: Hint | null;
  /** The least wait when no usable time is named. */
  floorMs: number;
  code?: HoldCode;
}

/** Zero, passed and absent waits get a floor that grows with each throttle in a row; a positive one is kept as asked, from the second with a small floor. */
export function clampedMs(delayMs: number | null, k: number, floorMs: number): number {
  if (delayMs === null || delayMs <= 0) return Math.max(ZERO_FLOOR_MS, throttleMs(k), floorMs);
  return Math.max(delayMs, subsecondFloorMs(k));
}

/** The hold, or the end of the call when the wait is longer than any hold, the throttle budget is used up, or the row's deadline comes first. */
export function holdVerdict(wait: Wait, observedAtMs: number, context: ReadContext): Verdict {
  const { scope, reason, hint, floorMs } = wait;
  const delayMs = clampedMs(hint?.delayMs ?? null, context.throttleNumber, floorMs);
  const retryAtMs = instantAfter(observedAtMs, delayMs);
  const said = hint?.said ? { said: hint.said } : {};
  const end = { kind: 'terminal', scope, needsPerson: false, retryAtMs, ...said } as const;
  if (delayMs > (context.maxHoldMs ?? MAX_HOLD_MS)) return { ...end, code: 'RATE_LIMIT_WAIT_TOO_LONG' };
  if (context.throttleNumber >= (context.maxThrottles ?? MAX_THROTTLES)) {
    return { ...end, code: 'RATE_LIMIT_RETRIES_EXHAUSTED' };
  }
  if (isAfterDeadline(retryAtMs, context)) {
    return { ...end, scope: 'row', code: 'DEADLINE_BEFORE_RETRY', hold: { retryAtMs, scope } };
  }
  return { kind: 'hold', reason, scope, retryAtMs, ...said, ...(wait.code && { code: wait.code }) };
}

/**
 * One more try of this row, unless it may have acted and a repetition is not harmless (AMBIGUOUS_OUTCOME), or its budget is used up.
 * `once`: the second attempt is the last, whatever the budget.
 */
export function transientVerdict(
  failure: { code: TransientCode; mayHaveActed: boolean; once?: boolean },
  observedAtMs: number,
  context: ReadContext,
): Verdict {
  const end = { kind: 'terminal', scope: 'row', needsPerson: false } as const;
  if (failure.mayHaveActed && !context.request.idempotent && !context.request.keyed) {
    return { ...end, code: 'AMBIGUOUS_OUTCOME' };
  }
  const budget = Math.min(context.maxAttempts ?? TRANSIENT_ATTEMPTS, failure.once ? 2 : Number.POSITIVE_INFINITY);
  if (context.attempt >= budget) return { ...end, code: 'RETRIES_EXHAUSTED' };
  const delayMs = transientMs(context.attempt, context.random, context.transientCapMs);
  const retryAtMs = instantAfter(observedAtMs, delayMs);
  if (isAfterDeadline(retryAtMs, context)) return { ...end, code: 'DEADLINE_BEFORE_RETRY', retryAtMs };
  return { kind: 'transient', scope: 'row', retryAtMs, code: failure.code };
}

const isAfterDeadline = (retryAtMs: number, context: ReadContext): boolean =>
  context.deadlineMs !== undefined && retryAtMs > context.deadlineMs;

/** What is left of a wait, never negative. Throws RangeError for an instant that is not finite: such a number must not reach a timer. */
export function remainingMs(retryAtMs: number, nowMs: number): number {
  if (!Number.isFinite(retryAtMs) || !Number.isFinite(nowMs)) {
    throw new RangeError(
      `remainingMs: got retryAtMs ${retryAtMs} and nowMs ${nowMs}, expected finite epoch milliseconds`,
    );
  }
  return Math.max(0, retryAtMs - nowMs);
}
