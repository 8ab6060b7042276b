// One dispatch of a tool call: permit, request, answer, and every wait that fits into 5 s. Longer waits are returned as holds.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { billingRequestId, canonicalJson, providerOperationKey, resultReceiptKey } from '../contracts/keys';
import { ANSWER_INLINE_BYTES, MARK_RETRY_MS, STORE_RETRY_MS } from '../contracts/limits';
import type { Billing, CallOutcome, Cursor, DispatchInput, StoredValue } from '../contracts/outcomes';
import type { AttemptEnd, NotSendable, Prepare, Send } from './attempt';
import { askRowOf, watchCancel } from './cancel-watch';
import type { Clock } from './clock';
import type { ReachCrashPoint } from './crash-points';
import type { Gate, GateLookup, GateRefusal, Permit } from './gate-port';
import { type Heart, startHeart } from './heart';
import {
  attemptNumber,
  type CallFacts,
  cursorAfterSend,
  cursorForHistory,
  holdOf,
  type NextStep,
  stepAfterAttempt,
  stepAfterRefusal,
  type Wait,
} from './outcome';
import { createResidentTime, type ResidentTime, waitUntil } from './resident-time';
import type { RunStore } from './store/run-store';
import type { Tool } from './tools/tool';
import type { ToolRegistry } from './tools/tool-registry-types';

export interface DispatchDeps {
  tools: ToolRegistry;
  gateOf: GateLookup;
  prepareOf: (tool: Tool) => Prepare;
  store: RunStore;
  clock: Clock;
  /** Aborted when the worker is told to stop: calls that were not sent go back as holds (rule 11). */
  stopping: AbortSignal;
  reach: ReachCrashPoint;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** True when a second request could be charged or written twice (rule 7). */
const isUnrepeatable = ({ idempotent, price, effect }: Tool): boolean =>
  !idempotent && (price > 0 || effect === 'write');

const isFree = ({ price, effect }: Tool): boolean => price === 0 && effect === 'read';

/** One dispatch under way. */
interface Dispatch {
  deps: DispatchDeps;
  input: DispatchInput;
  tool: Tool;
  gate: Gate | null;
  heart: Heart;
  resident: ResidentTime;
  /** The activity was cancelled, or the worker is stopping: nothing more is sent. */
  halted: AbortSignal;
  cancelled: AbortSignal;
}

/** The same for every dispatch of one logical call, whichever worker and version of the tool sends it. */
function receiptKeyOf({
  tool,
  toolVersion,
  account,
  input,
  admittedByRunId,
  rowIdentity,
  occurrence,
}: DispatchInput): string {
  const operation = providerOperationKey({ tool, toolVersion, account, input }, sha256);
  return resultReceiptKey(operation, { runId: admittedByRunId, rowIdentity, occurrence }, sha256);
}

function billingOf({ input, tool, deps }: Dispatch, cursor: Cursor): Billing {
  const id = billingRequestId(receiptKeyOf(input), cursor.billingNumber, sha256);
  return {
    billingRequestId: id,
    idempotencyKey: tool.idempotent ? id : null,
    sentAtMs: deps.clock.wallMs(),
    invocationAttempt: cursor.invocationAttempt,
  };
}

/** A halt before sending: the worker is stopping, or the row took the call back. */
function haltedStep({ deps, cancelled }: Dispatch, cursor: Cursor): NextStep {
  if (cancelled.aborted) return { kind: 'end', outcome: { kind: 'withdrawn', cursor } };
  const retryAtMs = deps.clock.wallMs();
  return { kind: 'end', outcome: { kind: 'hold', reason: 'worker_shutdown', scope: 'account', retryAtMs, cursor } };
}

const refusedStep = (dispatch: Dispatch, refusal: GateRefusal, cursor: Cursor): NextStep =>
  refusal.kind === 'stopped' ? haltedStep(dispatch, cursor) : stepAfterRefusal(refusal, cursor);

/** Tells the gate what the answer says about the account. Returns the instant until which the call waits, with the closing's jitter. */
function tellGate(permit: Permit | null, gate: Gate | null, end: AttemptEnd): AttemptEnd {
  if (!permit || !gate) return end;
  if (end.kind === 'hold' && end.scope !== 'row') {
    const scope = end.scope === 'provider' ? 'provider' : 'account';
    const status = end.status === undefined ? {} : { status: end.status };
    return { ...end, retryAtMs: permit.throttled({ retryAtMs: end.retryAtMs, reason: end.reason, scope, ...status }) };
  }
  if (end.kind === 'value' || end.kind === 'missed' || end.kind === 'rejected' || end.kind === 'hold')
    permit.succeeded();
  if (end.kind === 'rejected' && end.needsPerson && end.scope !== 'row') gate.needsPerson(end.message);
  if (end.kind === 'value' && end.laterHold && end.laterHold.scope !== 'row') {
    permit.throttled({ retryAtMs: end.laterHold.retryAtMs, reason: 'throttled' });
  }
  return end;
}

/** A request that was given up: what could be charged twice is unknown, the rest may be sent again under its billing id. */
function givenUp(end: AttemptEnd, tool: Tool): AttemptEnd {
  if (end.kind !== 'aborted' || !end.sent) return end;
  if (isFree(tool)) return { ...end, sent: false }; // no billing to keep
  if (!isUnrepeatable(tool)) return end;
  return { kind: 'ambiguous', code: 'CANCELLED_AFTER_SEND', message: 'given up before the provider answered' };
}

/** A paid answer must not be lost to a full disk: the store is tried until it takes the answer, while the heart beats. */
async function storeIfLarge({ deps, input }: Dispatch, end: AttemptEnd): Promise<StoredValue | undefined> {
  if (end.kind !== 'value') return undefined;
  const json = JSON.stringify(end.value);
  if (Buffer.byteLength(json) <= ANSWER_INLINE_BYTES) return undefined;
  for (;;) {
    try {
      return await deps.store.putValue(input.mapId, json);
    } catch (error) {
      Context.current().log.error('a large answer cannot be stored, trying again', { error: String(error) });
      await delay(STORE_RETRY_MS);
    }
  }
}

function unsendableStep({ code, message, repairable }: NotSendable, cursor: Cursor): NextStep {
  return { kind: 'end', outcome: { kind: 'rejected', code, message, cursor, repairable, charged: 0 } };
}

function receiptOf({ input, tool, deps }: Dispatch): CallFacts['receipt'] {
  return {
    receiptKey: receiptKeyOf(input),
    tool: tool.name,
    toolVersion: input.toolVersion,
    provider: tool.provider,
    account: input.account,
    inputDigest: sha256(canonicalJson(input.input)),
    price: tool.price,
    answeredAtMs: deps.clock.wallMs(),
    how: 'executed',
  };
}

/** Lets the request run to its end; a cancel asks the row first whether it may. */
async function sendWatched(dispatch: Dispatch, permit: Permit | null, send: Send): Promise<AttemptEnd> {
  const { deps, input, tool, cancelled } = dispatch;
  const context = Context.current();
  const watch = watchCancel({
    cancelled,
    graceMs: isFree(tool) ? 0 : input.cancelGraceMs,
    askRow: askRowOf(context, input),
    isFinal: () => context.cancellationDetails?.cancelRequested === false,
    clock: deps.clock,
  });
  try {
    return await send(watch.abort, { leaving: () => permit?.leaving(), answered: () => permit?.answered() });
  } finally {
    watch.end();
  }
}

/**
 * Puts the mark on the server before anything that cannot be repeated leaves. While the server does not take it nothing is
 * sent: the call waits, which costs no budget. Null when the request may leave.
 */
async function waitForMark({ deps, tool, heart }: Dispatch, billing: Billing, cursor: Cursor): Promise<Wait | null> {
  if (!isUnrepeatable(tool)) return null;
  try {
    await heart.markSending(billing);
    return null;
  } catch (error) {
    const retryAtMs = deps.clock.wallMs() + MARK_RETRY_MS;
    const detail = `no sending mark: ${error instanceof Error ? error.message : String(error)}`;
    return { kind: 'wait', reason: 'transient', scope: 'row', retryAtMs, cursor, detail };
  }
}

/** Sends once, after the mark. */
async function sendOnce(dispatch: Dispatch, permit: Permit | null, cursor: Cursor): Promise<NextStep> {
  const { deps, input, tool, gate, heart, halted } = dispatch;
  const billing = billingOf(dispatch, cursorAfterSend(cursor));
  const send = await deps.prepareOf(tool)({
    input,
    idempotencyKey: billing.billingRequestId,
    attempt: attemptNumber(cursor),
    throttleNumber: permit?.throttleNumber() ?? cursor.throttles + 1,
  });
  if (typeof send !== 'function') return unsendableStep(send, cursor);
  const unmarked = await waitForMark(dispatch, billing, cursor);
  if (unmarked) return unmarked;
  deps.reach('call.before_send');
  const refusal = halted.aborted ? { kind: 'stopped' as const } : (permit?.startSending() ?? null);
  if (refusal) {
    if (isUnrepeatable(tool)) await heart.clearMark();
    return refusedStep(dispatch, refusal, cursor);
  }
  const answer = await sendWatched(dispatch, permit, send);
  deps.reach('call.after_answer');
  const end = givenUp(tellGate(permit, gate, answer), tool);
  const facts: CallFacts = { billing, receipt: receiptOf(dispatch) };
  const step = stepAfterAttempt(end, cursorAfterSend(cursor), facts, await storeIfLarge(dispatch, end));
  if (isUnrepeatable(tool) && step.kind === 'wait') await heart.clearMark();
  return step;
}

/** One permit and one request; the permit is given back before any wait begins. */
async function tryOnce(dispatch: Dispatch, cursor: Cursor): Promise<NextStep> {
  const { gate, halted, resident, deps } = dispatch;
  if (halted.aborted) return haltedStep(dispatch, cursor);
  if (!gate) return sendOnce(dispatch, null, cursor);
  const askedMs = deps.clock.monotonicMs();
  const answer = await gate.acquire({ maxWaitMs: resident.leftMs(), signal: halted });
  // Waiting for a permit is a local wait like any other; a permit at once is none.
  if (deps.clock.monotonicMs() - askedMs >= 1) resident.begin(askedMs);
  if (answer.kind !== 'permit') return refusedStep(dispatch, answer, cursor);
  try {
    return await sendOnce(dispatch, answer.permit, cursor);
  } finally {
    answer.permit.release();
  }
}

/** Waits inside the activity without permit; false when the wait does not fit or was cut short. */
async function waitInside({ gate, resident, deps, halted }: Dispatch, wait: Wait): Promise<boolean> {
  if (!resident.fits(wait.retryAtMs)) return false;
  resident.begin();
  const endWait = gate?.residentWait();
  try {
    return !(await waitUntil(wait.retryAtMs, deps.clock, halted));
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

/** The `dispatch` activity. Answers a {@link CallOutcome} and does not throw. */
export function createDispatch(deps: DispatchDeps): (input: DispatchInput) => Promise<CallOutcome> {
  return async (input) => {
    const tool = deps.tools.get(input.tool);
    if (!tool) {
      const message = `this worker has no tool ${input.tool}; it has ${deps.tools.names().join(', ')}`;
      return { kind: 'rejected', code: 'TOOL_UNKNOWN', message, cursor: input.cursor, repairable: true, charged: 0 };
    }
    const context = Context.current();
    const hasGate = deps.tools
      .providers()
      .some(({ provider, account }) => provider === tool.provider && account === input.account);
    const heart = startHeart(context, isUnrepeatable(tool));
    const { cancelled } = heart;
    try {
      const outcome = await run({
        deps,
        input,
        tool,
        gate: hasGate ? deps.gateOf(tool.provider, input.account) : null,
        heart,
        resident: createResidentTime(deps.clock),
        halted: AbortSignal.any([cancelled, deps.stopping]),
        cancelled,
      });
      return { ...outcome, cursor: cursorForHistory(outcome.cursor) };
    } finally {
      heart.stop();
    }
  };
}
