// A refusal of an activity as the failure of the workflow that asked for it.
import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';

/** Its type is the code, its first detail the problems; any other error as it is. */
export function asWorkflowFailure(error: unknown): unknown {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure)) return error;
  return ApplicationFailure.create({
    type: cause.type ?? 'STORE_FAILED',
    message: cause.message,
    nonRetryable: true,
    details: cause.details ?? [],
  });
}
