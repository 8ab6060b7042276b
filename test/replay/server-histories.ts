// Histories of a server's workflows, newest first.
import type { Client, HistoryAndWorkflowId } from '@temporalio/client';
import { WORKFLOW } from '../../contracts/names';

export interface Selection {
  /** Visibility query; only Sluice's own workflow types are looked at. */
  query?: string;
  /** Most histories to take. */
  limit: number;
}

/** The query that a selection means. */
export function visibilityQuery({ query }: Selection): string {
  const types = Object.values(WORKFLOW).map((type) => `"${type}"`);
  const ours = `WorkflowType IN (${types.join(', ')})`;
  return query === undefined ? ours : `(${query}) AND ${ours}`;
}

/** Downloads one after the other, as they are asked for. Workflows that still run are given as far as they have come. */
export async function* serverHistories(
  { workflow }: Client,
  selection: Selection,
): AsyncGenerator<HistoryAndWorkflowId> {
  let left = selection.limit;
  if (left === 0) return;
  for await (const { workflowId, runId } of workflow.list({ query: visibilityQuery(selection) })) {
    yield { workflowId, history: await workflow.getHandle(workflowId, runId).fetchHistory() };
    left -= 1;
    if (left === 0) return;
  }
}
