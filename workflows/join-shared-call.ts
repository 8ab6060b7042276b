// A call of a row whose answer is shared: the row joins the shared call, waits for its answer, and leaves when it is not wanted any more.
import { CancellationScope, condition, getExternalWorkflowHandle, isCancellation, patched } from '@temporalio/workflow';
import { JOIN_AGAIN_MS, JOINS_OF_JOB } from '../contracts/limits';
import { FIRST_CURSOR } from '../contracts/outcomes';
import { type CallAnswer, firstProgress, type JoinAnswer } from '../contracts/shared-call';
import { mapActivities } from './activity-proxies';
import {
  type CallEnd,
  type CallEnvironment,
  type IsOver,
  inStep,
  isCancelledOf,
  isOverOf,
  type RunningCall,
  refusedInput,
  untilRunning,
} from './call-tool';
import { outcomeOfError } from './lost-dispatch';
import { detachSignal } from './messages';

/** Answers that came for the calls of a row, by the number of the call. */
export type Mailbox = Map<number, CallAnswer>;

interface Joining {
  call: RunningCall;
  /** Number of the call within its row. */
  number: number;
  environment: CallEnvironment;
  mailbox: Mailbox;
  isOver: IsOver;
  /** The row is cancelled, or its program cancelled this call: then a job is not waited for either. */
  isCancelled: IsOver;
  /** It asks again after hearing nothing for this long. */
  joinAgainMs: number;
  /** The same while it keeps a job. */
  longestMs: number;
}

const waiterOf = ({ number, environment: { row } }: Joining) => ({ ...row, call: number });

/**
 * Asks the call to go on without this row, and waits for its word: what was sent for this row alone is finished and counted here. A
 * job that runs already is kept by a row that is only paused, or that ends beside it. Null when the word is in the mailbox; the end
 * of a row that goes without it, since a request under way lasts too long for it, names the call that goes on.
 */
async function leave(joining: Joining, callId: string): Promise<CallEnd | null> {
  const { call, number, mailbox, environment, isCancelled, isOver } = joining;
  const keeps = call.request.tool.job && !isCancelled() ? { keeps: true as const } : {};
  const { cancelGraceMs } = environment.plan.timing;
  const limitMs = cancelGraceMs + (environment.isCancelled() ? 0 : call.request.tool.timeoutMs);
  const isHeard = await CancellationScope.nonCancellable(async () => {
    try {
      await getExternalWorkflowHandle(callId).signal(detachSignal, { ...waiterOf(joining), ...keeps });
    } catch {
      return true; // it has ended: the answer is here, or the call was ended by hand
    }
    return condition(() => mailbox.has(number), Math.max(1, limitMs));
  });
  return isHeard || !isOver() ? null : { kind: 'cancelled', cursor: FIRST_CURSOR, holds: 0, sharedCall: callId };
}

function join(joining: Joining): Promise<JoinAnswer> {
  const { call, environment } = joining;
  const { tool, input, freshFromMs, forcedBy, occurrence } = call.request;
  const isShared = tool.share === 'all';
  const { mapId, timing } = environment.plan;
  const { joinCall } = mapActivities(timing.heartbeatTimeoutMs);
  return joinCall({
    mapId,
    tool,
    input,
    timing,
    waiter: waiterOf(joining),
    ...(isShared && freshFromMs !== undefined ? { freshFromMs } : {}),
    ...(isShared && forcedBy !== undefined ? { forcedBy } : {}),
    ...(isShared ? {} : { scope: { runId: environment.plan.runId, rowIdentity: environment.rowIdentity, occurrence } }),
  });
}

/**
 * A row that wanted to leave keeps the job: it waits on, paused or ending as it is, and only a cancel makes it go. Answers the end
 * that it found when it asked again after hearing nothing, or went with; else the word is in the mailbox.
 */
async function keep(joining: Joining, callId: string): Promise<CallEnd | null> {
  const { call, number, mailbox, isCancelled, longestMs } = joining;
  mailbox.delete(number);
  call.state = { state: 'hold', sinceMs: Date.now(), reason: 'job_running', scope: 'row', sharedCall: callId };
  const isTold = () => mailbox.has(number);
  try {
    while (!(await inStep(call, isCancelled, () => condition(isTold, longestMs)))) {
      const joined = await inStep(call, isCancelled, () => join(joining));
      if (joined.kind === 'ended' && !isTold()) return joined.end;
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    if (!isTold()) return leave(joining, callId);
  }
  return null;
}

/** What the shared call said last: its end, the end of this row's part in it, or null when nothing that ends the call. */
function toldEnd(answer: CallAnswer | undefined): CallEnd | null {
  if (!answer || 'stays' in answer) return null;
  if ('end' in answer) return answer.end;
  const { job } = answer;
  return job ? { kind: 'cancelled', cursor: FIRST_CURSOR, holds: 0, billing: job.billing, job } : null;
}

/** Takes in a word. One that ends the call here stays: a row that joined twice is told twice, and only the first word may count the purchase. */
export function acceptWord(mailbox: Mailbox, answer: CallAnswer): void {
  if (!toldEnd(mailbox.get(answer.call))) mailbox.set(answer.call, answer);
}

/** One stay with the call. Null when it ended without an answer: taken back, told to leave, or nothing heard for a while. */
async function stay(joining: Joining): Promise<CallEnd | null> {
  const { call, number, mailbox, isOver, joinAgainMs } = joining;
  // It was told while it did not listen, as in a pause: the word may be the one that counts the purchase.
  const before = toldEnd(mailbox.get(number));
  if (before && patched('told-while-away')) return before;
  mailbox.delete(number);
  call.state = { state: 'queued', sinceMs: Date.now() };
  let callId: string | null = null;
  try {
    const joined = await inStep(call, isOver, () => join(joining));
    // The call tells its rows before it completes: who joins again just then has the word already.
    if (joined.kind === 'ended') return toldEnd(mailbox.get(number)) ?? joined.end;
    callId = joined.callId;
    call.state = { ...call.state, sharedCall: callId };
    await inStep(call, isOver, () => condition(() => mailbox.has(number), joinAgainMs));
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const unheard = callId === null || mailbox.has(number) ? null : await leave(joining, callId);
    if (unheard) return unheard;
  }
  for (;;) {
    const answer = mailbox.get(number);
    if (callId === null || !answer || !('stays' in answer)) return toldEnd(answer);
    const end = await keep(joining, callId);
    if (end) return end;
  }
}

/** As {@link callTool}, for a tool whose answers are shared: the same ends, and no throw for a refusal, a hold or a cancel. */
export async function joinSharedCall(
  call: RunningCall,
  number: number,
  environment: CallEnvironment,
  mailbox: Mailbox,
): Promise<CallEnd> {
  const isOver = isOverOf(call, environment);
  const isCancelled = isCancelledOf(environment);
  const refused = refusedInput(call.request);
  if (refused) return refused;
  const { joinAgainMs: firstMs = JOIN_AGAIN_MS } = environment.plan.timing;
  const longestMs = Math.max(firstMs, JOIN_AGAIN_MS, (call.request.tool.job?.deadlineMs ?? 0) / JOINS_OF_JOB);
  try {
    // Each time it waits twice as long, up to the default or what a job's deadline allows: thousands of rows with a short setting must not keep the workers busy.
    for (let joinAgainMs = firstMs; ; joinAgainMs = Math.min(2 * joinAgainMs, longestMs)) {
      await untilRunning(call, environment, isOver);
      const end = await stay({ call, number, environment, mailbox, isOver, isCancelled, joinAgainMs, longestMs });
      if (end) return end;
    }
  } catch (error) {
    if (isCancellation(error)) return { kind: 'cancelled', cursor: FIRST_CURSOR, holds: 0 };
    const { tool } = call.request;
    const outcome = outcomeOfError(error, { ...firstProgress(), tool, nowMs: Date.now() });
    if (outcome.kind !== 'rejected') throw error;
    return { ...outcome, holds: 0 };
  }
}
