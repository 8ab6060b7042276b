// Activities of a map and its pages that fail and are tried again, such as a table that cannot be written: only describe tells of them.
import { WorkflowNotFoundError } from '@temporalio/client';
import { QUERY_CONCURRENCY, SHOWN_FAULT_CHARACTERS } from '../contracts/limits';
import { inTurns } from './in-turns';
import { isUnreachable, type Server, withinTime } from './server';

export interface PendingFailure {
  workflowId: string;
  activity: string;
  /** Number of the try that is under way or comes next. */
  attempt: number;
  message: string;
  /** When it is tried again; null = it runs now. */
  nextAtMs: number | null;
}

export async function pendingFailures(server: Server, workflowIds: readonly string[]): Promise<PendingFailure[]> {
  const all = await inTurns(workflowIds, QUERY_CONCURRENCY, (workflowId) => failuresOf(server, workflowId));
  return all.flat();
}

/** A page may be gone before it is asked, and a busy server may not answer in time: then nothing is known. */
async function failuresOf(server: Server, workflowId: string): Promise<PendingFailure[]> {
  try {
    const { raw } = await withinTime(server, () => server.client.workflow.getHandle(workflowId).describe());
    return (raw.pendingActivities ?? []).flatMap(({ activityType, attempt, lastFailure, scheduledTime }) => {
      if (!lastFailure) return [];
      const nextAtMs = Number(scheduledTime?.seconds ?? 0) * 1000;
      return [
        {
          workflowId,
          activity: activityType?.name ?? 'activity',
          attempt: attempt ?? 1,
          message: (lastFailure.message ?? '').slice(0, SHOWN_FAULT_CHARACTERS),
          nextAtMs: nextAtMs > 0 ? nextAtMs : null,
        },
      ];
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || isUnreachable(error)) return [];
    throw error;
  }
}

/** `finishMap of june fails, try 4: message`. */
export const pendingLine = ({ workflowId, activity, attempt, message }: PendingFailure): string =>
  `${activity} of ${workflowId} failed and is tried again (try ${attempt}): ${message}`;
