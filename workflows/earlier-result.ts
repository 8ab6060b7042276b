// Already there = read its result: a map or page that was reset meets the children of its first life.
import type { RowPlan } from '../contracts/plan';
import { mapActivities } from './activity-proxies';

/** `WorkflowExecutionAlreadyStartedError` is not exported to workflow code, so it is known by its name. */
export const isAlreadyStarted = (error: unknown): boolean =>
  error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError';

/** Waits for the workflow with this id to end and returns its result. */
export async function readResult<Result>(plan: RowPlan, workflowId: string): Promise<Result> {
  const { readWorkflowResult } = mapActivities(plan.timing.heartbeatTimeoutMs);
  return (await readWorkflowResult({ workflowId })) as Result;
}
