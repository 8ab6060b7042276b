// One tool call as a loop over a typed outcome: dispatch, hold until the instant, dispatch again with the returned cursor.
import { CancellationScope, CancelledFailure, condition, isCancellation, sleep } from '@temporalio/workflow';
import { asJobRequest, type JobState, jobFacts } from '../contracts/job';
import { PAYLOAD_CHARACTERS, SAID_CHARACTERS } from '../contracts/limits';
import type { Billing, CallOutcome, Cursor, Json } from '../contracts/outcomes';
import { FIRST_CURSOR } from '../contracts/outcomes';
import type { RowPlan, ToolPlan } from '../contracts/plan';
import type { CallState } from '../contracts/results';
import { type CallProgress, firstProgress } from '../contracts/shared-call';
import type { SharedKeys } from '../contracts/shared-keys';
import { dispatchCall } from './activity-proxies';
import { endOfHolding, type Hold, holdDurationMs, holdMemoryAfter, onWorkflowClock } from './hold-policy';
import {
  afterLostPoll,
  endAtDeadline,
  jobSummary,
  queueLimitMs,
  takeJob,
  untilDeadline,
  withJob,
} from './job-progress';
import type { KeptAnswers } from './kept-answers';
import { outcomeOfError } from './lost-dispatch';

/** One call of a row. `occurrence` tells equal calls of the row apart, by the order in which they were started. */
export interface CallRequest {
  column: string;
  tool: ToolPlan;
  input: Json;
  occurrence: number;
  /** A shared answer that is older is bought anew. */
  freshFromMs?: number;
  /** Root run of a map that wants this call bought anew. */
  forcedBy?: string;
}

/** What a row lends to its calls, or a shared call to its own. */
export interface CallEnvironment {
  plan: Pick<RowPlan, 'mapId' | 'runId' | 'timing'>;
  rowIdentity: string;
  /** The workflow that the call belongs to. */
  row: { workflowId: string; runId: string };
  /** Answers from an earlier map; absent in a row that has none. */
  kept?: KeptAnswers;
  isPaused(): boolean;
  /** The row itself, whatever scope its program runs in. */
  isCancelled(): boolean;
  /** Of a shared call. */
  keys?: SharedKeys;
  /** Called between two steps of the call, when nothing of it is under way; what it throws ends the loop. */
  atRest?(): Promise<void>;
}

/** A call that has truly ended. `cancelled` with `billing`: it had been sent, and the same id may be sent again; with `job`: it had started this one; with `sharedCall`: that may have sent it, and finishes it. */
export type CallEnd = (
  | Exclude<CallOutcome, { kind: 'hold' | 'withdrawn' }>
  | { kind: 'cancelled'; cursor: Cursor; billing?: Billing; job?: JobState; sharedCall?: string }
) & { holds: number };

/** A call under way: what it waits for, and the handle by which a pause or the row's end takes back what was not sent. */
export interface RunningCall {
  request: CallRequest;
  state: Pick<CallState, 'state' | 'sinceMs' | 'reason' | 'scope' | 'retryAtMs' | 'sharedCall' | 'job'>;
  /** Scope of the dispatch or the timer that it is in. */
  step: CancellationScope | null;
  /** The row ends: nothing more is sent. */
  isEnding: boolean;
}

function timerSummary(tool: ToolPlan, hold: Hold, job: JobState | undefined): string {
  if (job && hold.reason === 'job_running') return jobSummary(tool, job, hold.retryAtMs);
  const until = new Date(hold.retryAtMs).toISOString();
  const why = [
    `${hold.reason}${hold.status ? ` ${hold.status}` : ''}`,
    ...(hold.detail ? [hold.detail.slice(0, SAID_CHARACTERS)] : []),
  ];
  return `${tool.tool} (${tool.account}): ${why.join(', ')}, waits until ${until}`;
}

/** Nobody wants the call any more: neither the row nor the program, which may have put it into a scope of its own. */
export type IsOver = () => boolean;

/** Asked in the scope in which the program made its call: it may have put it into one of its own and cancel that. */
export function isCancelledOf(environment: CallEnvironment): IsOver {
  const programScope = CancellationScope.current();
  return () => environment.isCancelled() || programScope.consideredCancelled;
}

/** As {@link isCancelledOf}, and true as well once the row ends. */
export function isOverOf(call: RunningCall, environment: CallEnvironment): IsOver {
  const isCancelled = isCancelledOf(environment);
  return () => call.isEnding || isCancelled();
}

/**
 * One scope for what a call is in just now: a scope costs a row half a millisecond. The row may have ended since the last step,
 * when there was no scope to cancel, so nothing is begun that nobody would take back.
 */
export async function inStep<Result>(call: RunningCall, isOver: IsOver, run: () => Promise<Result>): Promise<Result> {
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
  progress: CallProgress,
): Promise<CallOutcome> {
  const { cursor, losses, job } = progress;
  const { plan, keys } = environment;
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
    ...(keys ? { shared: keys } : {}),
    ...(job ? { job } : {}),
  };
  const limitMs = queueLimitMs(tool, progress, Date.now());
  try {
    return await inStep(call, isOver, () => dispatchCall(request, tool, timing, limitMs));
  } catch (error) {
    const nowMs = Date.now();
    const outcome = outcomeOfError(error, { tool: job ? asJobRequest(tool) : tool, cursor, losses, nowMs });
    return job && outcome.kind === 'hold' ? afterLostPoll(job, cursor, nowMs) : outcome;
  }
}

/** Returns when the call may be dispatched. Throws CancelledFailure once it is over. */
export async function untilRunning(call: RunningCall, environment: CallEnvironment, isOver: IsOver): Promise<void> {
  if (environment.isPaused() && !isOver()) {
    call.state = { state: 'paused', sinceMs: Date.now() };
    await condition(() => !environment.isPaused() || isOver());
  }
  if (isOver()) throw new CancelledFailure('the call is not wanted any more');
}

/** The refusal of an input that no message can carry; null for all others. */
export function refusedInput({ input }: CallRequest): CallEnd | null {
  const characters = JSON.stringify(input).length;
  if (characters <= PAYLOAD_CHARACTERS) return null;
  const message = `the input of the call has ${characters} characters of JSON, expected at most ${PAYLOAD_CHARACTERS}`;
  const code = 'REQUEST_INVALID';
  return { kind: 'rejected', code, message, cursor: FIRST_CURSOR, repairable: false, charged: 0, holds: 0 };
}

/** Waits until the hold is over; whoever cancels the step while the call is still wanted only wakes it. */
async function sleepThrough(
  call: RunningCall,
  isOver: IsOver,
  hold: Hold,
  job: JobState | undefined,
): Promise<'slept' | 'woken'> {
  const { reason, scope, retryAtMs } = hold;
  const about = job ? { job: jobFacts(job) } : {};
  call.state = { state: 'hold', sinceMs: Date.now(), reason, scope, retryAtMs, ...about };
  const summary = timerSummary(call.request.tool, hold, job);
  try {
    await inStep(call, isOver, () => sleep(Math.max(1, holdDurationMs(hold, Date.now())), { summary }));
    return 'slept';
  } catch (error) {
    if (!isCancellation(error) || isOver()) throw error;
    return 'woken';
  }
}

/** Takes the outcome of a dispatch into the progress. The end of the call, or null when it goes on. */
function endAfter(answer: CallOutcome, tool: ToolPlan, progress: CallProgress): CallEnd | null {
  const { holds, job } = progress;
  const nowMs = Date.now();
  const outcome = onWorkflowClock(answer, nowMs);
  progress.cursor = outcome.cursor;
  if ('billing' in outcome && outcome.billing) progress.billing = outcome.billing;
  const doubt = progress.billing ? { billing: progress.billing } : {};
  takeJob(progress, outcome, nowMs);
  if (outcome.kind === 'withdrawn') return null;
  if (outcome.kind === 'rejected') return { ...withJob(outcome, job), holds, ...doubt };
  if (outcome.kind !== 'hold') return { ...outcome, holds };
  if (outcome.isLost) progress.losses += 1;
  const memory = holdMemoryAfter(progress, outcome, nowMs);
  progress.throttledSinceMs = memory.throttledSinceMs;
  const hold = untilDeadline(outcome, tool, progress);
  const ended = endAtDeadline(hold, tool, progress, nowMs) ?? endOfHolding(hold, memory, nowMs, tool.giveUpAfterMs);
  if (ended) return { ...withJob(ended, progress.job), holds, ...doubt };
  if (hold.reason !== 'job_running') progress.holds += 1;
  progress.hold = hold;
  return null;
}

/**
 * Runs one call to its end, from `progress`, which it keeps up to date. Never throws for a refusal, a hold or a cancel: all of
 * them are values here, so a `catch` in a row program cannot meet a hold (design 2, rule 1).
 */
export async function callTool(
  call: RunningCall,
  environment: CallEnvironment,
  progress: CallProgress = firstProgress(),
): Promise<CallEnd> {
  const isOver = isOverOf(call, environment);
  const refused = refusedInput(call.request);
  if (refused) return refused;
  try {
    for (;;) {
      if (environment.atRest) await environment.atRest();
      if (progress.hold) {
        if ((await sleepThrough(call, isOver, progress.hold, progress.job)) === 'woken') continue;
        delete progress.hold;
      }
      await untilRunning(call, environment, isOver);
      const answer = await dispatchOnce(call, environment, isOver, progress);
      const end = endAfter(answer, call.request.tool, progress);
      if (end) return end;
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const { cursor, holds, billing, job } = progress;
    return { kind: 'cancelled', cursor, holds, ...(billing ? { billing } : {}), ...(job ? { job } : {}) };
  }
}
