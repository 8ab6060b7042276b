// One dispatch of a tool call: permit, request, answer, and every wait that fits into 5 s. Longer waits are returned as holds.
import { Context } from '@temporalio/activity';
import type { Units } from '../contracts/gate';
import { asJobRequest } from '../contracts/job';
import { OTHER_WORKER_MAX_MS, OTHER_WORKER_MS } from '../contracts/limits';
import type { Billing, CallOutcome, Cursor, DispatchInput } from '../contracts/outcomes';
import { isFree, isUnrepeatable } from '../contracts/repeatable';
import { createAdmittedCheck } from './admitted-here';
import { tellIfThrottled } from './call-events';
import type { Dispatch, DispatchDeps } from './dispatch-state';
import { faultOutcome } from './fault-outcome';
import { startHeart } from './heart';
import { joinSignals } from './joined-signal';
import { cursorForHistory, cursorOfJob, holdOf, type NextStep, type Wait, withRemaining } from './outcome';
import { createResidentTime, waitUntil } from './resident-time';
import { haltedStep, refusedStep, sendOnce } from './send-call';
import type { Tool } from './tools/tool';
import { Rejected } from './tools/tool-errors';

/** One permit and one request; the permit is given back before any wait begins. */
async function tryOnce(dispatch: Dispatch, cursor: Cursor): Promise<NextStep> {
  const { gate, halted, resident, deps } = dispatch;
  if (halted.aborted) return haltedStep(dispatch, cursor);
  if (!gate) return sendOnce(dispatch, null, cursor);
  const askedMs = deps.clock.monotonicMs();
  tellIfThrottled(dispatch, cursor, 'permit wait started');
  const { tool, input } = dispatch;
  let units: Units;
  try {
    // A job counts with its start.
    units = input.job ? {} : await tool.unitsOf(input.input);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const { code, message, charged } = error;
    return { kind: 'end', outcome: { kind: 'rejected', code, message, cursor, repairable: false, charged } };
  }
  const answer = await gate.acquire({ endpoint: tool.name, units, maxWaitMs: resident.leftMs(), signal: halted });
  // Waiting for a permit is a local wait like any other; a permit at once is none.
  const waitedMs = deps.clock.monotonicMs() - askedMs;
  if (waitedMs >= 1) resident.begin(askedMs);
  if (answer.kind !== 'permit') return refusedStep(dispatch, answer, cursor);
  tellIfThrottled(dispatch, cursor, 'permit acquired', waitedMs);
  try {
    return await sendOnce(dispatch, answer.permit, cursor);
  } finally {
    answer.permit.release();
  }
}

/** Waits inside the activity without permit; false when the wait does not fit or was cut short. */
async function waitInside(dispatch: Dispatch, wait: Wait): Promise<boolean> {
  const { gate, resident, deps, halted } = dispatch;
  if (!resident.fits(wait.retryAtMs)) return false;
  resident.begin();
  const endWait = gate?.residentWait();
  const beganMs = deps.clock.monotonicMs();
  try {
    if (await waitUntil(wait.retryAtMs, deps.clock, halted)) return false;
    tellIfThrottled(dispatch, wait.cursor, 'wait completed', deps.clock.monotonicMs() - beganMs);
    return true;
  } finally {
    endWait?.();
  }
}

/** A call that goes back unanswered tells which of its requests may have been charged. */
const withDoubt = (outcome: CallOutcome, doubt: Billing | undefined): CallOutcome =>
  doubt && (outcome.kind === 'hold' || outcome.kind === 'withdrawn' || outcome.kind === 'rejected')
    ? { billing: doubt, ...outcome }
    : outcome;

async function run(dispatch: Dispatch): Promise<CallOutcome> {
  let { cursor } = dispatch.input;
  let doubt: Billing | undefined;
  for (;;) {
    const step = await tryOnce(dispatch, cursor);
    if (step.kind === 'end') return withDoubt(step.outcome, doubt);
    cursor = step.cursor;
    if (step.billing && !isFree(dispatch.tool)) doubt = step.billing;
    if (await waitInside(dispatch, step)) continue;
    return withDoubt(dispatch.cancelled.aborted ? { kind: 'withdrawn', cursor } : holdOf(step), doubt);
  }
}

/** Of this worker, its store or its provider files: another worker may do better. */
type WorkerReason = 'run_store' | 'tool_unknown' | 'tool_changed';

/**
 * A call that this worker cannot do is left to another one, and costs nothing: while workers are replaced some lack a new tool; and an
 * answer that cannot be kept, as without the map's store, is not bought. Each time it waits twice as long, since every hold is history.
 */
function leaveToOthers(reason: WorkerReason, detail: string, { cursor, heldMs = 0 }: DispatchInput, nowMs: number) {
  Context.current().log.warn('a call is not sent', { reason: detail });
  const waitMs = Math.min(OTHER_WORKER_MAX_MS, Math.max(OTHER_WORKER_MS, 2 * heldMs));
  const hold: CallOutcome = { kind: 'hold', reason, scope: 'row', retryAtMs: nowMs + waitMs, cursor, detail };
  return withRemaining(hold, nowMs);
}

/**
 * Why this worker's tool is another one than the map's, whose version its answers are filed under for all who ask later; null when it
 * is not. A job that has been started is asked for by any version, so that none is lost.
 */
function changedTool({ name, version }: Tool, { toolVersion, job }: DispatchInput): string | null {
  if (job || version === toolVersion) return null;
  const other = `this worker's ${name} has version ${version}, that of the map is ${toolVersion}`;
  const same = `say version: "${toolVersion}" in its provider file if the answers mean the same`;
  return `${other}; give all workers one provider file, ${same}, or cancel and redrive the map`;
}

/** A call that comes back has slept on a durable timer, and then waited in the queue of its provider. */
function tellArrival(call: Pick<Dispatch, 'deps' | 'tool' | 'input'>, scheduledAtMs: number): void {
  const { input, deps } = call;
  if (input.heldMs !== undefined) tellIfThrottled(call, input.cursor, 'wait completed', input.heldMs);
  tellIfThrottled(call, input.cursor, 'dispatch started', Math.max(0, deps.clock.wallMs() - scheduledAtMs));
}

/** The `dispatch` activity. Answers a {@link CallOutcome} and does not throw. */
export function createDispatch(deps: DispatchDeps): (input: DispatchInput) => Promise<CallOutcome> {
  // Once, not for each call: the registry reads its provider files' limits anew each time.
  const gated = new Set(deps.tools.providers().map(({ provider, account }) => `${provider}/${account}`));
  const checkAdmitted = createAdmittedCheck(deps.store);
  return async (input) => {
    const found = deps.tools.get(input.tool);
    if (!found) {
      const detail = `this worker has no tool ${input.tool}; it has ${deps.tools.names().join(', ')}`;
      return leaveToOthers('tool_unknown', detail, input, deps.clock.wallMs());
    }
    const changed = changedTool(found, input);
    if (changed !== null) return leaveToOthers('tool_changed', changed, input, deps.clock.wallMs());
    const tool = input.job ? asJobRequest(found) : found;
    const context = Context.current();
    try {
      await checkAdmitted(input.mapId);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return leaveToOthers('run_store', detail, input, deps.clock.wallMs());
    }
    const hasGate = gated.has(`${tool.provider}/${input.account}`);
    tellArrival({ deps, tool, input }, context.info.currentAttemptScheduledTimestampMs);
    const heart = startHeart(context, isUnrepeatable(tool));
    const { cancelled } = heart;
    const { signal: halted, release } = joinSignals([cancelled, deps.stopping]);
    try {
      const dispatch: Dispatch = {
        deps,
        input,
        tool,
        price: found.price,
        gate: hasGate ? deps.gateOf(tool.provider, input.account) : null,
        heart,
        resident: createResidentTime(deps.clock),
        halted,
        cancelled,
      };
      const outcome = await run(dispatch).catch((error: unknown) =>
        faultOutcome({ error, tool, cursor: input.cursor, billing: heart.sending() }),
      );
      const cursor = input.job ? cursorOfJob(outcome, input.cursor) : cursorForHistory(outcome.cursor);
      return withRemaining({ ...outcome, cursor }, deps.clock.wallMs());
    } finally {
      release();
      heart.stop();
    }
  };
}
