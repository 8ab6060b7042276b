// The history of a row as the few steps that tell its story: dispatches with their answers, and its end.
import { DISPATCH_ACTIVITY, JOIN_ACTIVITY } from '../../contracts/names';
import type { Billing, CallOutcome, DispatchInput, SendingMark } from '../../contracts/outcomes';
import type { AdmittedRow, RowPlan } from '../../contracts/plan';
import type { RowResult } from '../../contracts/results';
import type { JoinAnswer, JoinInput, SharedCallInput } from '../../contracts/shared-call';
import type { SharedKeys } from '../../contracts/shared-keys';
import type { Server } from '../server';
import { atMsOf, firstValue, type HistoryEvent } from './history';

/** One dispatch of a call; `end` is null while it is in the provider's queue or being sent. */
export interface DispatchStep {
  queuedAtMs: number;
  input: DispatchInput;
  end: DispatchEnd | null;
}

export type DispatchEnd = { atMs: number } & (
  | { kind: 'outcome'; outcome: CallOutcome }
  /** No worker answered; with `mark` the request was under way. */
  | { kind: 'lost'; mark: Billing | null }
  | { kind: 'failed'; message: string }
  | { kind: 'taken_back' }
);

/** A call of the row that shares its answer: when it asked for the shared call, and which that is. */
export interface JoinStep {
  joinedAtMs: number;
  input: JoinInput;
  /** Null while it was not answered. */
  callId: string | null;
}

/** A shared call: who asked for it first, and what its present run did to buy it. */
export interface SharedEvents {
  callId: string;
  runId: string;
  firstAskedBy: string;
  startedAtMs: number;
  keys: SharedKeys;
  dispatches: DispatchStep[];
}

export interface RowEvents {
  row: AdmittedRow;
  plan: RowPlan;
  startedAtMs: number;
  dispatches: DispatchStep[];
  /** By the number of the call within the row: the last time that it asked. */
  joins: Map<number, JoinStep>;
  /** Null while the row is open. */
  ended: { atMs: number; result: RowResult | null } | null;
}

async function endOf(server: Server, event: HistoryEvent): Promise<{ of: string; end: DispatchEnd } | null> {
  const atMs = atMsOf(event);
  const completed = event.activityTaskCompletedEventAttributes;
  if (completed) {
    const outcome = await firstValue<CallOutcome>(server, completed.result);
    if (!outcome?.kind) return null; // an activity of another kind
    return { of: String(completed.scheduledEventId), end: { atMs, kind: 'outcome', outcome } };
  }
  const timedOut = event.activityTaskTimedOutEventAttributes;
  if (timedOut) {
    const details = timedOut.failure?.timeoutFailureInfo?.lastHeartbeatDetails;
    const mark = await firstValue<SendingMark | { phase: string }>(server, details);
    const billing = mark && 'billing' in mark ? mark.billing : null;
    return { of: String(timedOut.scheduledEventId), end: { atMs, kind: 'lost', mark: billing } };
  }
  const failed = event.activityTaskFailedEventAttributes;
  if (failed)
    return {
      of: String(failed.scheduledEventId),
      end: { atMs, kind: 'failed', message: failed.failure?.message ?? 'no message' },
    };
  const canceled = event.activityTaskCanceledEventAttributes;
  return canceled ? { of: String(canceled.scheduledEventId), end: { atMs, kind: 'taken_back' } } : null;
}

/** The dispatches of a row or of a shared call, in order. */
async function dispatchesOf(server: Server, events: readonly HistoryEvent[]): Promise<DispatchStep[]> {
  const dispatches = new Map<string, DispatchStep>();
  for (const event of events) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled?.activityType?.name === DISPATCH_ACTIVITY) {
      const sent = await firstValue<DispatchInput>(server, scheduled.input);
      if (sent) dispatches.set(String(event.eventId), { queuedAtMs: atMsOf(event), input: sent, end: null });
    }
    const found = await endOf(server, event);
    const step = found && dispatches.get(found.of);
    if (step) step.end = found.end;
  }
  return [...dispatches.values()];
}

async function joinsOf(server: Server, events: readonly HistoryEvent[]): Promise<RowEvents['joins']> {
  const asked = new Map<string, JoinStep>();
  const joins: RowEvents['joins'] = new Map();
  for (const event of events) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled?.activityType?.name === JOIN_ACTIVITY) {
      const input = await firstValue<JoinInput>(server, scheduled.input);
      if (!input) continue;
      const step: JoinStep = { joinedAtMs: atMsOf(event), input, callId: null };
      asked.set(String(event.eventId), step);
      joins.set(input.waiter.call, step);
    }
    const completed = event.activityTaskCompletedEventAttributes;
    const step = completed && asked.get(String(completed.scheduledEventId));
    if (step) step.callId = (await firstValue<JoinAnswer>(server, completed.result))?.callId ?? null;
  }
  return joins;
}

/** Null when the history does not begin with a shared call. */
export async function sharedEvents(
  server: Server,
  callId: string,
  events: readonly HistoryEvent[],
): Promise<SharedEvents | null> {
  const started = events[0]?.workflowExecutionStartedEventAttributes;
  const input = await firstValue<SharedCallInput>(server, started?.input);
  if (!events[0] || !input?.keys) return null;
  const runId = started?.originalExecutionRunId ?? '';
  const dispatches = await dispatchesOf(server, events);
  const { mapId: firstAskedBy, keys } = input;
  return { callId, runId, firstAskedBy, startedAtMs: atMsOf(events[0]), keys, dispatches };
}

/** Null when the history does not begin with a row. */
export async function rowEvents(server: Server, events: readonly HistoryEvent[]): Promise<RowEvents | null> {
  const [first] = events;
  const input = await firstValue<{ plan: RowPlan; row: AdmittedRow }>(
    server,
    first?.workflowExecutionStartedEventAttributes?.input,
  );
  if (!first || !input?.row) return null;
  let ended: RowEvents['ended'] = null;
  for (const event of events) {
    const completed = event.workflowExecutionCompletedEventAttributes;
    if (completed) {
      ended = { atMs: atMsOf(event), result: (await firstValue<RowResult>(server, completed.result)) ?? null };
    } else if (
      event.workflowExecutionTerminatedEventAttributes ||
      event.workflowExecutionCanceledEventAttributes ||
      event.workflowExecutionFailedEventAttributes
    ) {
      ended = { atMs: atMsOf(event), result: null };
    }
  }
  const [dispatches, joins] = [await dispatchesOf(server, events), await joinsOf(server, events)];
  return { ...input, startedAtMs: atMsOf(first), dispatches, joins, ended };
}
