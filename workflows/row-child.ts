// One row as a child workflow: started once under its identity, and its end turned into an outcome whatever happened to it.
import type { ChildWorkflowHandle } from '@temporalio/workflow';
import {
  ActivityFailure,
  CancellationScope,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  isCancellation,
  ParentClosePolicy,
  startChild,
  TerminatedFailure,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import { rowWorkflowId } from '../contracts/ids';
import { WORKFLOW } from '../contracts/names';
import type { AdmittedRow, RowPlan } from '../contracts/plan';
import type { RowOutcome, RowResult } from '../contracts/results';
import { rowLabel } from '../contracts/row-label';
import { outcomeWithoutResult } from '../contracts/row-without-result';
import { isAlreadyStarted, readResult } from './earlier-result';
import type { mapRow } from './map-row';

function outcomeOfFailure(row: AdmittedRow, error: unknown): RowOutcome {
  if (isCancellation(error))
    return outcomeWithoutResult(row, 'cancelled', 'CANCELLED', 'cancelled before it was started');
  const cause = error instanceof ChildWorkflowFailure || error instanceof ActivityFailure ? error.cause : undefined;
  const what = cause instanceof TerminatedFailure ? 'was terminated' : `failed: ${cause?.message ?? String(error)}`;
  const message = `the workflow of the row ${what}; its calls may have been sent and charged`;
  return outcomeWithoutResult(row, 'unknown', 'ROW_TERMINATED', message);
}

/** `started`: the child exists (null when it was never started); `result`: never rejects. */
export interface RowChild {
  started: Promise<ChildWorkflowHandle<typeof mapRow> | null>;
  result: Promise<RowResult>;
}

export function startRow(plan: RowPlan, row: AdmittedRow): RowChild {
  const workflowId = rowWorkflowId(plan.mapId, row.identity);
  const starting = startChild<typeof mapRow>(WORKFLOW.mapRow, {
    workflowId,
    args: [{ plan, row }],
    staticSummary: rowLabel(row, plan.key),
    workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
  const result = starting
    .then((handle) => handle.result())
    .catch((error: unknown) => {
      if (!isAlreadyStarted(error)) return outcomeOfFailure(row, error);
      const earlier = CancellationScope.nonCancellable(() => readResult<RowResult>(plan, workflowId));
      return earlier.catch((failed: unknown) => outcomeOfFailure(row, failed));
    });
  return { started: starting.catch(() => null), result };
}
