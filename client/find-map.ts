// A map by its id: that it exists, is a map and runs; otherwise an error that says what is there instead.
import { type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';
import { WORKFLOW } from '../contracts/names';
import { CommandError } from './command-error';
import { readWithinTime, type Server } from './server';

/** Recent maps named in the error about an unknown one. */
const SHOWN_MAPS = 5;

/** Throws MAP_NOT_FOUND for an unknown id and for the id of another kind of workflow. */
export async function findMap(server: Server, mapId: string): Promise<WorkflowExecutionDescription> {
  const description = await findWorkflow(server, mapId);
  if (description?.type === WORKFLOW.datasetMap) return description;
  const found = description ? `${mapId} is a ${description.type}, not a map` : `there is no map ${mapId}`;
  throw new CommandError(
    'MAP_NOT_FOUND',
    `${found} in namespace "${server.namespace}" at ${server.address}; ${await recentMaps(server)}`,
  );
}

/** Like findMap, and throws MAP_ENDED when the map runs no more. */
export async function findRunningMap(server: Server, mapId: string): Promise<WorkflowExecutionDescription> {
  const description = await findMap(server, mapId);
  if (description.status.name === 'RUNNING') return description;
  const end = description.closeTime ? ` at ${description.closeTime.toISOString()}` : '';
  throw new CommandError(
    'MAP_ENDED',
    `${mapId} has ended (${description.status.name.toLowerCase()}${end}), so nothing can be changed; look at it with: sluice status ${mapId}`,
  );
}

/** The workflow with this id, of whatever kind; null when there is none. */
export async function findWorkflow(server: Server, workflowId: string): Promise<WorkflowExecutionDescription | null> {
  try {
    return await readWithinTime(server, () => server.client.workflow.getHandle(workflowId).describe());
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** Visibility may lag by a second and may be refused; the error is told either way. */
async function recentMaps(server: Server): Promise<string> {
  const ids: string[] = [];
  try {
    const list = server.client.workflow.list({
      query: `WorkflowType = '${WORKFLOW.datasetMap}'`,
      pageSize: SHOWN_MAPS,
    });
    for await (const { workflowId } of list) {
      ids.push(workflowId);
      if (ids.length === SHOWN_MAPS) break;
    }
  } catch {
    return 'its maps cannot be listed';
  }
  return ids.length > 0 ? `the latest maps are ${ids.join(', ')}` : 'it has no maps yet';
}
