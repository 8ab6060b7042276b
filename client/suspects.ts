// Rows and shared calls that wait for nothing they know of: they may have an activity that fails and is tried again.
import type { OpenRow } from '../contracts/results';
import { type HoldsBook, waitingRows } from './holds-book';

/**
 * Workflow ids of the rows that wait without a hold or a pause in each of their calls, those that are open for longest first, and of
 * the shared calls that they wait for. A row that was not asked is one of them.
 */
export function suspects(open: readonly OpenRow[], book: HoldsBook, nowMs: number): string[] {
  const rows = waitingRows(open, nowMs).toSorted((one, other) => one.startedAtMs - other.startedAtMs);
  const ids = rows.flatMap(({ workflowId }) => {
    const calls = book.get(workflowId)?.holds.calls ?? [];
    const free = calls.filter(({ state }) => state === 'queued');
    if (calls.length > 0 && free.length === 0) return [];
    return [workflowId, ...free.flatMap(({ sharedCall }) => sharedCall ?? [])];
  });
  return [...new Set(ids)];
}
