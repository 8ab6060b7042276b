// How long a hold lasts and when holding ends: pure, the clock is an argument.
import { GIVE_UP_AFTER_MS, JITTER_MAX_MS, MAX_THROTTLES } from '../contracts/limits';
import type { CallOutcome } from '../contracts/outcomes';

export type Hold = Extract<CallOutcome, { kind: 'hold' }>;
export type Rejection = Extract<CallOutcome, { kind: 'rejected' }>;

/** What a call remembers between its dispatches. `throttledSinceMs`: first throttle without a success since. */
export interface HoldMemory {
  throttledSinceMs: number | null;
}

const COUNTS_AS_THROTTLE = new Set<Hold['reason']>(['throttled', 'quota', 'unavailable', 'row_locked']);

export const holdMemoryAfter = (memory: HoldMemory, hold: Hold, nowMs: number): HoldMemory =>
  COUNTS_AS_THROTTLE.has(hold.reason) && memory.throttledSinceMs === null ? { throttledSinceMs: nowMs } : memory;

/** The outcome with its instant on the clock of the workflow: the worker's may be hours away, a duration is the same on both. */
export function onWorkflowClock<Outcome extends CallOutcome>(outcome: Outcome, nowMs: number): Outcome {
  const remainingMs = 'remainingMs' in outcome ? outcome.remainingMs : undefined;
  return remainingMs === undefined ? outcome : { ...outcome, retryAtMs: nowMs + remainingMs };
}

/**
 * The rejection that ends a call whose wait is used up, or null to go on waiting (rules 8 and 9). Transient attempts are
 * counted where they are sent; throttles have their own budget; `gate_closed`, `pacing` and `worker_shutdown` have none.
 * `giveUpAfterMs`: of the account; also the longest hold.
 */
export function endOfHolding(
  hold: Hold,
  memory: HoldMemory,
  nowMs: number,
  giveUpAfterMs = GIVE_UP_AFTER_MS,
): Rejection | null {
  const ended = (code: Rejection['code'], message: string): Rejection => ({
    kind: 'rejected',
    code,
    message,
    cursor: hold.cursor,
    retryAtMs: hold.retryAtMs,
    repairable: true,
    charged: 0,
    ...(hold.status === undefined ? {} : { status: hold.status }),
  });
  if (hold.reason === 'job_running') return null; // has its deadline
  // A day that a provider asks for is held: the jitter of its closing comes on top.
  if (hold.retryAtMs - nowMs > giveUpAfterMs + JITTER_MAX_MS) {
    const until = new Date(hold.retryAtMs).toISOString();
    return ended('RATE_LIMIT_WAIT_TOO_LONG', `has to wait until ${until} (${hold.reason}), longer than any hold`);
  }
  if (!COUNTS_AS_THROTTLE.has(hold.reason)) return null;
  if (hold.cursor.throttles >= MAX_THROTTLES) {
    return ended('RATE_LIMIT_RETRIES_EXHAUSTED', `refused ${hold.cursor.throttles} times in a row`);
  }
  if (memory.throttledSinceMs !== null && nowMs - memory.throttledSinceMs > giveUpAfterMs) {
    return ended('RATE_LIMIT_RETRIES_EXHAUSTED', `refused since ${new Date(memory.throttledSinceMs).toISOString()}`);
  }
  return null;
}

/** Milliseconds to sleep before the next dispatch; never negative, never NaN. */
export const holdDurationMs = (hold: Pick<Hold, 'retryAtMs'>, nowMs: number): number =>
  Number.isFinite(hold.retryAtMs) ? Math.max(0, Math.ceil(hold.retryAtMs - nowMs)) : 0;
