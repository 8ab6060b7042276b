// Shared calls on the server: how one stands, what a person said of it, and signal-with-start to join it.
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { CallStanding, SharedCallPort } from '../activities/shared-call-port';
import { settledCallId } from '../contracts/ids';
import { CALL_SIGNAL, MAIN_TASK_QUEUE, WORKFLOW } from '../contracts/names';
import type { Settlement } from '../contracts/settlement';
import type { EndedCall, SharedEnd } from '../contracts/shared-call';
import { standingOfHistory } from './standing-of-history';

/** The detail that a call fails with; null when somebody else ended it. */
function endedCall(error: unknown): EndedCall | null {
  if (!(error instanceof WorkflowFailedError)) throw error;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return null;
  return (cause.details?.[0] as EndedCall | undefined) ?? null;
}

/** How long a run lasted, on the server's clock. */
type Life = Pick<WorkflowExecutionDescription, 'startTime' | 'closeTime'>;

/**
 * The end with its age on the server's clock. A worker whose clock is wrong answered at an instant at which the call did not run: then
 * the end of the run counts, or no answer would ever be fresh, or each for ever.
 */
function onServerClock(end: SharedEnd, { startTime, closeTime }: Life): SharedEnd {
  if ((end.kind !== 'completed' && end.kind !== 'missed') || !closeTime) return end;
  const { answeredAtMs } = end.receipt;
  if (answeredAtMs >= startTime.getTime() && answeredAtMs <= closeTime.getTime()) return end;
  return { ...end, receipt: { ...end.receipt, answeredAtMs: closeTime.getTime() } };
}

export function createSharedCalls({ workflow }: Pick<Client, 'workflow'>): SharedCallPort {
  async function standing(callId: string, runId: string, life: Life): Promise<CallStanding> {
    const handle = workflow.getHandle(callId, runId);
    try {
      return { kind: 'ended', runId, end: onServerClock((await handle.result()) as SharedEnd, life) };
    } catch (error) {
      const ended = endedCall(error);
      if (ended) return { kind: 'failed', ...ended, sentAtMs: null };
      return standingOfHistory((await handle.fetchHistory()).events ?? []);
    }
  }
  return {
    async look(callId) {
      try {
        const description = await workflow.getHandle(callId).describe();
        const { status, runId } = description;
        if (status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW') return { kind: 'running' };
        return await standing(callId, runId, description);
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return { kind: 'none' };
        throw error;
      }
    },
    async settled(billingRequestId) {
      const workflowId = settledCallId(billingRequestId);
      try {
        const { status, runId } = await workflow.getHandle(workflowId).describe();
        if (status.name !== 'COMPLETED') return null;
        return { runId, settlement: (await workflow.getHandle(workflowId, runId).result()) as Settlement };
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return null;
        throw error;
      }
    },
    async attach(callId, seen, input, waiter) {
      try {
        if (seen === 'running') await workflow.getHandle(callId).signal(CALL_SIGNAL.attach, waiter);
        else
          await workflow.signalWithStart(WORKFLOW.sharedCall, {
            taskQueue: MAIN_TASK_QUEUE,
            workflowId: callId,
            workflowIdReusePolicy: seen === 'none' ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY',
            args: [input],
            signal: CALL_SIGNAL.attach,
            signalArgs: [waiter],
          });
        return true;
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError)
          return false;
        throw error;
      }
    },
  };
}
