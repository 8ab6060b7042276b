// One tool call as a loop over a typed outcome: dispatch, hold until the instant, dispatch again with the returned cursor.
import { CancellationScope, CancelledFailure, condition, isCancellation, sleep } from '@temporalio/workflow';
import { PAYLOAD_CHARACTERS } from '../contracts/limits';
import type { Billing, CallOutcome, Cursor, Json } from '../contracts/outcomes';
import { FIRST_CURSOR } from '../contracts/outcomes';
import type { RowPlan, ToolPlan } from '../contracts/plan';
import type { CallState } from '../contracts/results';
import { dispatchCall } from './activity-proxies';
import {
  endOfHolding,
  type Hold,
  type HoldMemory,
  holdDurationMs,
  holdMemoryAfter,
  onWorkflowClock,
  type Rejection,
} from './hold-policy';
import { outcomeOfError } from './lost-dispatch';

/** One call of a row. `occurrence` tells equal calls of the row apart, by the order in which they were started. */
export interface CallRequest {
  column: string;
  tool: ToolPlan;
  input: Json;
  occurrence: number;
}

/** What the row lends to its calls. */
export interface CallEnvironment {
  plan: RowPlan;
  rowIdentity: string;
  row: { workflowId: string; runId: string };
  isPaused(): boolean;
  /** The row itself, whatever scope its program runs in. */
  isCancelled(): boolean;
}

/** A call that has truly ended. `cancelled` with `billing`: it had been sent, and the same id may be sent again. */
export type CallEnd = (
  | Exclude<CallOutcome, { kind: 'hold' | 'withdrawn' }>
  | { kind: 'cancelled'; cursor: Cursor; billing?: Billing }
) & { holds: number };

/** A call under way: what it waits for, and the handle by which a pause or the row's end takes back what was not sent. */
export interface RunningCall {
  request: CallRequest;
  state: Pick<CallState, 'state' | 'sinceMs' | 'reason' | 'scope' | 'retryAtMs'>;
  /** Scope of the dispatch or the timer that it is in. */
  step: CancellationScope | null;
  /** The row ends: nothing more is sent. */
  isEnding: boolean;
}

function timerSummary(tool: ToolPlan, hold: Hold): string {
  const until = new Date(hold.retryAtMs).toISOString();
  return `${tool.tool} (${tool.account}): ${hold.reason}${hold.status ? ` ${hold.status}` : ''}, waits until ${until}`;
}

/** Nobody wants the call any more: neither the row nor the program, which may have put it into a scope of its own. */
type IsOver = () => boolean;

/**
 * One scope for what a call is in just now: a scope costs a row half a millisecond. The row may have ended since the last step,
 * when there was no scope to cancel, so nothing is begun that nobody would take back.
 */
async function inStep<Result>(call: RunningCall, isOver: IsOver, run: () => Promise<Result>): Promise<Result> {
  if (isOver()) throw new CancelledFailure('the call is not wanted any more');
  call.step = new CancellationScope();
  try {
    return await call.step.run(run);
  } finally {
    call.step = null;
  }
}

async function dispatchOnce(
  call: RunningCall,
  environment: CallEnvironment,
  isOver: IsOver,
  cursor: Cursor,
  losses: number,
): Promise<CallOutcome> {
  const { plan } = environment;
  const { tool, column, input, occurrence } = call.request;
  const before = call.state;
  const heldMs = before.state === 'hold' ? { heldMs: Date.now() - before.sinceMs } : {};
  call.state = { state: 'queued', sinceMs: Date.now() };
  const { mapId, timing } = plan;
  const { rowIdentity, row } = environment;
  const { cancelGraceMs } = timing;
  const request = {
    mapId,
    rowIdentity,
    column,
    tool: tool.tool,
    account: tool.account,
    input,
    toolVersion: tool.version,
    admittedByRunId: plan.runId,
    occurrence,
    cursor,
    ...heldMs,
    cancelGraceMs,
    row,
  };
  try {
    return await inStep(call, isOver, () => dispatchCall(request, tool, timing));
  } catch (error) {
    return outcomeOfError(error, { tool, cursor, losses, nowMs: Date.now() });
  }
}

/** Returns when the call may be dispatched. Throws CancelledFailure once it is over. */
async function untilRunning(call: RunningCall, environment: CallEnvironment, isOver: IsOver): Promise<void> {
  if (environment.isPaused() && !isOver()) {
    call.state = { state: 'paused', sinceMs: Date.now() };
    await condition(() => !environment.isPaused() || isOver());
  }
  if (isOver()) throw new CancelledFailure('the call is not wanted any more');
}

function inputTooLarge(characters: number): Rejection {
  const message = `the input of the call has ${characters} characters of JSON, expected at most ${PAYLOAD_CHARACTERS}`;
  const code = 'REQUEST_INVALID';
  return { kind: 'rejected', code, message, cursor: FIRST_CURSOR, repairable: false, charged: 0 };
}

/**
 * Runs one call to its end. Never throws for a refusal, a hold or a cancel: all of them are values here, so a `catch` in a
 * row program cannot meet a hold (design 2, rule 1).
 */
export async function callTool(call: RunningCall, environment: CallEnvironment): Promise<CallEnd> {
  const { tool } = call.request;
  // A program may have put the call into a scope of its own and cancel that: each dispatch in it would end at once, for ever.
  const programScope = CancellationScope.current();
  const isOver = () => call.isEnding || environment.isCancelled() || programScope.consideredCancelled;
  let cursor = FIRST_CURSOR;
  let memory: HoldMemory = { throttledSinceMs: null };
  let billing: Billing | undefined;
  let holds = 0;
  let losses = 0;
  const characters = JSON.stringify(call.request.input).length;
  if (characters > PAYLOAD_CHARACTERS) return { ...inputTooLarge(characters), holds };
  try {
    for (;;) {
      await untilRunning(call, environment, isOver);
      const answer = await dispatchOnce(call, environment, isOver, cursor, losses);
      const nowMs = Date.now();
      const outcome = onWorkflowClock(answer, nowMs);
      cursor = outcome.cursor;
      if ('billing' in outcome) billing = outcome.billing ?? billing;
      if (outcome.kind === 'withdrawn') continue;
      if (outcome.kind === 'rejected') return { ...outcome, holds, ...(billing ? { billing } : {}) };
      if (outcome.kind !== 'hold') return { ...outcome, holds };
      if (outcome.detail === 'worker lost') losses += 1;
      memory = holdMemoryAfter(memory, outcome, nowMs);
      const ended = endOfHolding(outcome, memory, nowMs, tool.giveUpAfterMs);
      if (ended) return { ...ended, holds, ...(billing ? { billing } : {}) };
      holds += 1;
      const { reason, scope, retryAtMs } = outcome;
      call.state = { state: 'hold', sinceMs: nowMs, reason, scope, retryAtMs };
      const summary = timerSummary(tool, outcome);
      await inStep(call, isOver, () => sleep(Math.max(1, holdDurationMs(outcome, nowMs)), { summary }));
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    return { kind: 'cancelled', cursor, holds, ...(billing ? { billing } : {}) };
  }
}
