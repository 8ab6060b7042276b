// How a shared call stands that was ended by hand: it says nothing itself, but its history has its last dispatch, or its answer.
import { defaultPayloadConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import type { CallStanding } from '../activities/shared-call-port';
import { dueFor, type JobState, jobAfter, takenOver } from '../contracts/job';
import { DISPATCH_ACTIVITY } from '../contracts/names';
import { type CallOutcome, type Cursor, type DispatchInput, FIRST_CURSOR } from '../contracts/outcomes';
import type { CallAnswer, SharedCallInput } from '../contracts/shared-call';

type Event = temporal.api.history.v1.IHistoryEvent;
type Payloads = temporal.api.common.v1.IPayloads | null | undefined;

function payloadValue<Value>(payloads: Payloads): Value | null {
  const [payload] = payloads?.payloads ?? [];
  return payload ? defaultPayloadConverter.fromPayload<Value>(payload) : null;
}

/** Reads one run of a call, event by event. */
class CallHistory {
  private cursor: Cursor = FIRST_CURSOR;
  private job: JobState | undefined;
  /** The last dispatch only told the provider that nobody wants the job any more: what it ends with is no answer. */
  private isGivingUp = false;
  private holds = 0;
  private open: Event | null = null;
  private ended: SharedCallInput['ended'];
  /** Signals that told a row the answer, or the job that it left and counts, by their events: the server says when they arrived. */
  private readonly telling = new Map<string, CallAnswer | null>();

  read(event: Event): void {
    const { workflowExecutionStartedEventAttributes: started, activityTaskScheduledEventAttributes: scheduled } = event;
    const { signalExternalWorkflowExecutionInitiatedEventAttributes: telling } = event;
    const { activityTaskCompletedEventAttributes: completed } = event;
    const told = event.externalWorkflowExecutionSignaledEventAttributes;
    if (started) this.start(payloadValue<SharedCallInput>(started.input));
    if (scheduled?.activityType?.name === DISPATCH_ACTIVITY) {
      this.open = event;
      const input = payloadValue<DispatchInput>(scheduled.input);
      this.cursor = input?.cursor ?? this.cursor;
      this.isGivingUp = input?.job?.phase === 'cancelling';
    }
    if (completed && String(completed.scheduledEventId) === String(this.open?.eventId)) {
      this.open = null;
      this.take(payloadValue<CallOutcome>(completed.result));
    }
    if (telling) this.telling.set(String(event.eventId), payloadValue<CallAnswer>(telling.input));
    if (told) this.hasTold(this.telling.get(String(told.initiatedEventId)) ?? null);
  }

  standing(): CallStanding {
    const { cursor, open, ended, job } = this;
    const sentAtMs = open === null ? null : Number(open.eventTime?.seconds ?? 0) * 1000;
    const owed = dueFor(job) > 0 ? { isOwed: true as const } : {};
    return { kind: 'failed', cursor, sentAtMs, ...(job ? { job, ...owed } : {}), ...(ended ? { ended } : {}) };
  }

  private hasTold(answer: CallAnswer | null): void {
    if (answer && 'end' in answer && this.ended) this.ended.isClaimed = true;
    if (answer && 'left' in answer && answer.job && this.job) this.job = takenOver(this.job);
  }

  private start(input: SharedCallInput | null): void {
    this.cursor = input?.progress?.cursor ?? FIRST_CURSOR;
    this.job = input?.progress?.job;
    this.holds = input?.progress?.holds ?? 0;
    this.ended = input?.ended;
  }

  /** A refusal may be asked for again; every other end is kept. */
  private take(outcome: CallOutcome | null): void {
    this.cursor = outcome?.cursor ?? this.cursor;
    this.job = jobAfter(outcome, this.job);
    if (outcome?.kind === 'hold') this.holds += 1;
    if (this.isGivingUp) return;
    if (outcome?.kind !== 'completed' && outcome?.kind !== 'missed' && outcome?.kind !== 'unknown') return;
    this.ended = { end: { ...outcome, holds: this.holds }, isClaimed: false };
  }
}

/** `events`: the whole history of its last run. */
export function standingOfHistory(events: readonly Event[]): CallStanding {
  const history = new CallHistory();
  for (const event of events) history.read(event);
  return history.standing();
}
