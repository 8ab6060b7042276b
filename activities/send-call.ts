// Sends one request of a call: prepared before its permit counts, marked when it cannot be repeated, and its answer turned into the next step.
import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { attemptNumber, cursorAfterSend } from '../contracts/cursor';
import { ANSWER_INLINE_BYTES, MARK_RETRY_MS, STORE_RETRY_MS } from '../contracts/limits';
import type { Billing, Cursor, StoredValue } from '../contracts/outcomes';
import { isFree, isUnrepeatable } from '../contracts/repeatable';
import { looksStored, SHARED_VALUES } from '../contracts/stored-value';
import type { AttemptEnd, NotSendable, Send } from './attempt';
import { tellAnswer } from './call-events';
import { billingOf, receiptOf } from './call-identity';
import { askRowOf, watchCancel } from './cancel-watch';
import type { Dispatch } from './dispatch-state';
import type { GateRefusal, Permit } from './gate-port';
import { type CallFacts, type NextStep, stepAfterAttempt, stepAfterRefusal, type Wait } from './outcome';
import { tellGate } from './tell-gate';
import type { Tool } from './tools/tool';

/** A halt before sending: the worker is stopping, or the row took the call back. */
export function haltedStep({ deps, cancelled }: Dispatch, cursor: Cursor): NextStep {
  if (cancelled.aborted) return { kind: 'end', outcome: { kind: 'withdrawn', cursor } };
  const retryAtMs = deps.clock.wallMs();
  return { kind: 'end', outcome: { kind: 'hold', reason: 'worker_shutdown', scope: 'account', retryAtMs, cursor } };
}

/** The gate gave no permit, or took it back. */
export const refusedStep = (dispatch: Dispatch, refusal: GateRefusal, cursor: Cursor): NextStep =>
  refusal.kind === 'stopped' ? haltedStep(dispatch, cursor) : stepAfterRefusal(refusal, cursor);

/** A request that was given up: what could be charged twice is unknown, the rest may be sent again under its billing id. */
function givenUp(end: AttemptEnd, tool: Tool): AttemptEnd {
  if (end.kind !== 'aborted' || !end.sent) return end;
  if (isFree(tool)) return { ...end, sent: false }; // no billing to keep
  if (!isUnrepeatable(tool)) return end;
  return { kind: 'ambiguous', code: 'CANCELLED_AFTER_SEND', message: 'given up before the provider answered' };
}

/** An answer that is too large for history, or that would be taken for a reference, goes to the run store. A paid one must not be lost to a full disk: the store is tried until it takes the answer, while the heart beats. */
async function storeIfNeeded({ deps, input }: Dispatch, end: AttemptEnd): Promise<StoredValue | undefined> {
  if (end.kind !== 'value') return undefined;
  const json = JSON.stringify(end.value);
  if (Buffer.byteLength(json) <= ANSWER_INLINE_BYTES && !looksStored(end.value)) return undefined;
  const place = input.shared ? SHARED_VALUES : input.mapId;
  for (;;) {
    try {
      const { $stored } = await deps.store.putValue(place, json);
      return { $stored: input.shared ? { ...$stored, store: place } : $stored };
    } catch (error) {
      Context.current().log.error('a large answer cannot be stored, trying again', { error: String(error) });
      await delay(STORE_RETRY_MS);
    }
  }
}

function unsendableStep({ code, message, repairable }: NotSendable, cursor: Cursor): NextStep {
  return { kind: 'end', outcome: { kind: 'rejected', code, message, cursor, repairable, charged: 0 } };
}

/** Lets the request run to its end; a cancel asks the row first whether it may. */
async function sendWatched(dispatch: Dispatch, permit: Permit | null, send: Send): Promise<AttemptEnd> {
  const { deps, input, tool, cancelled } = dispatch;
  const context = Context.current();
  const watch = watchCancel({
    cancelled,
    graceMs: isFree(tool) ? 0 : input.cancelGraceMs,
    askRow: askRowOf(context, input, deps.clock),
    isFinal: () => context.cancellationDetails?.cancelRequested === false,
    clock: deps.clock,
  });
  try {
    return await send(watch.abort, {
      leaving: () => permit?.leaving(),
      answered: () => permit?.answered(),
      used: (units) => permit?.used(units),
    });
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

/** Sends once, after the mark. `permit`: null for a tool without a gate. */
export async function sendOnce(dispatch: Dispatch, permit: Permit | null, cursor: Cursor): Promise<NextStep> {
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
  if (!isUnrepeatable(tool) && !isFree(tool)) heart.noteSending(billing);
  const sentMs = deps.clock.monotonicMs();
  const answer = await sendWatched(dispatch, permit, send);
  tellAnswer(dispatch, cursor, answer, deps.clock.monotonicMs() - sentMs);
  deps.reach('call.after_answer');
  const end = givenUp(tellGate(permit, gate, answer), tool);
  const facts: CallFacts = { billing, receipt: receiptOf(dispatch), missPrice: input.job?.charged ?? 0 };
  const step = stepAfterAttempt(end, cursorAfterSend(cursor), facts, await storeIfNeeded(dispatch, end));
  if (step.kind === 'wait') {
    if (isUnrepeatable(tool)) await heart.clearMark();
    else if (!step.billing) heart.noteAnswered();
  }
  return step;
}
