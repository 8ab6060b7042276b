// Activities that fail and are tried again, such as a table or an answer that cannot be written: only describe tells of them.
import { WorkflowNotFoundError } from '@temporalio/client';
import { QUERY_CONCURRENCY, SHOWN_FAULT_CHARACTERS } from '../contracts/limits';
import { counted } from './format';
import { inTurns } from './in-turns';
import { isUnreachable, type Server, withinTime } from './server';

export interface PendingFailure {
  workflowId: string;
  /** Workflows that meet the same, beside this one, of those that were looked at. */
  others: number;
  activity: string;
  /** Number of the try that is under way or comes next. */
  attempt: number;
  message: string;
  /** When it is tried again; null = it runs now. */
  nextAtMs: number | null;
}

/** What fails in these workflows, alike failures as one: a full disk fails each row in the same way. */
export async function pendingFailures(server: Server, workflowIds: readonly string[]): Promise<PendingFailure[]> {
  const all = await inTurns(workflowIds, QUERY_CONCURRENCY, (workflowId) => failuresOf(server, workflowId));
  return together(all.flat());
}

/** Digests in paths of the run store, and the folders named by their first byte: by these alike messages differ. */
const DIGEST = /\b(?:[0-9a-f]{2}|[0-9a-f]{8,})\b/g;

/** One failure for each activity and message, that of the workflow that was asked first. */
export function together(failures: readonly PendingFailure[]): PendingFailure[] {
  const alike = new Map<string, PendingFailure>();
  for (const failure of failures) {
    const key = `${failure.activity}: ${failure.message.replace(DIGEST, '')}`;
    const first = alike.get(key);
    alike.set(key, first ? { ...first, others: first.others + 1 + failure.others } : failure);
  }
  return [...alike.values()];
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
          others: 0,
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

/** `finishMap of june failed and is tried again (try 4): message`. */
export const pendingLine = ({ workflowId, others, activity, attempt, message }: PendingFailure): string =>
  `${activity} of ${workflowId}${others > 0 ? ` and ${counted(others, 'other')}` : ''} failed and is tried again (try ${attempt}): ${message}`;
