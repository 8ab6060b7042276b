// A call of a row whose answer is shared: the row joins the shared call, waits for its answer, and leaves when it is not wanted any more.
import { CancellationScope, condition, getExternalWorkflowHandle, isCancellation, patched } from '@temporalio/workflow';
import { JOIN_AGAIN_MS } from '../contracts/limits';
import { FIRST_CURSOR } from '../contracts/outcomes';
import { type CallAnswer, firstProgress, type JoinAnswer } from '../contracts/shared-call';
import { mapActivities } from './activity-proxies';
import {
  type CallEnd,
  type CallEnvironment,
  type IsOver,
  inStep,
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
}

const waiterOf = ({ number, environment: { row } }: Joining) => ({ ...row, call: number });

/** Asks the call to go on without this row, and waits for its word: what was sent for this row alone is finished and counted here. */
async function leave(joining: Joining, callId: string): Promise<void> {
  const { call, number, mailbox, environment } = joining;
  const { cancelGraceMs } = environment.plan.timing;
  const limitMs = cancelGraceMs + (environment.isCancelled() ? 0 : call.request.tool.timeoutMs);
  await CancellationScope.nonCancellable(async () => {
    try {
      await getExternalWorkflowHandle(callId).signal(detachSignal, waiterOf(joining));
    } catch {
      return; // it has ended: the answer is here, or the call was ended by hand
    }
    await condition(() => mailbox.has(number), Math.max(1, limitMs));
  });
}

function join(joining: Joining): Promise<JoinAnswer> {
  const { call, environment } = joining;
  const { tool, input, freshFromMs, forcedBy } = call.request;
  const { mapId, timing } = environment.plan;
  const { joinCall } = mapActivities(timing.heartbeatTimeoutMs);
  return joinCall({
    mapId,
    tool,
    input,
    timing,
    waiter: waiterOf(joining),
    ...(freshFromMs === undefined ? {} : { freshFromMs }),
    ...(forcedBy === undefined ? {} : { forcedBy }),
  });
}

const toldEnd = (answer: CallAnswer | undefined): CallEnd | null => (answer && 'end' in answer ? answer.end : null);

/** One stay with the call. Null when it ended without an answer: taken back, told to leave, or nothing heard for a while. */
async function stay(joining: Joining): Promise<CallEnd | null> {
  const { call, number, mailbox, isOver, environment } = joining;
  const { joinAgainMs = JOIN_AGAIN_MS } = environment.plan.timing;
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
    if (callId !== null && !mailbox.has(number)) await leave(joining, callId);
  }
  return toldEnd(mailbox.get(number));
}

/** As {@link callTool}, for a tool whose answers are shared: the same ends, and no throw for a refusal, a hold or a cancel. */
export async function joinSharedCall(
  call: RunningCall,
  number: number,
  environment: CallEnvironment,
  mailbox: Mailbox,
): Promise<CallEnd> {
  const isOver = isOverOf(call, environment);
  const refused = refusedInput(call.request);
  if (refused) return refused;
  try {
    for (;;) {
      await untilRunning(call, environment, isOver);
      const end = await stay({ call, number, environment, mailbox, isOver });
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
