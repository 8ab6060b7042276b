// Starts the workflow of a map under its id, once: an id that was ever used is refused with what to do instead.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { WORKFLOW } from '../contracts/names';
import { CommandError } from './command-error';
import { findMap } from './find-map';
import { type Server, withinTime } from './server';

/** Run id of the new map. Throws MAP_EXISTS. */
export async function startMap(server: Server, mapId: string, argument: unknown): Promise<string> {
  try {
    const handle = await withinTime(server, () =>
      server.client.workflow.start(WORKFLOW.datasetMap, {
        taskQueue: server.taskQueue,
        workflowId: mapId,
        args: [argument],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
      }),
    );
    return handle.firstExecutionRunId;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) throw await mapExists(server, mapId);
    throw error;
  }
}

async function mapExists(server: Server, mapId: string): Promise<CommandError> {
  const description = await findMap(server, mapId);
  const status = description.status.name.toLowerCase();
  return new CommandError(
    'MAP_EXISTS',
    `a map ${mapId} exists already (${status}, started ${description.startTime.toISOString()}), and an id is used once; choose another --id, or look at it with: sluice status ${mapId}`,
  );
}
