// The result of a workflow that an earlier life of its parent started, awaited however long it takes.
import { ApplicationFailure, Context } from '@temporalio/activity';
import { withHeartbeat } from './with-heartbeat';

/** The `readWorkflowResult` activity. Fails for good when that workflow ended without a result: asking again would never help. */
export const readWorkflowResult = ({ workflowId }: { workflowId: string }): Promise<unknown> =>
  withHeartbeat(async () => {
    try {
      return await Context.current().client.workflow.getHandle(workflowId).result();
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'WorkflowFailedError') throw error;
      const cause = error.cause instanceof Error ? error.cause.message : error.message;
      throw ApplicationFailure.nonRetryable(
        `workflow ${workflowId} ended without a result: ${cause}`,
        'ROW_TERMINATED',
      );
    }
  });
