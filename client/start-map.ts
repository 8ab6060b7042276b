// Starts the workflow of a map under its id, once: an id that was ever used is refused with what to do instead.
import {
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
  type WorkflowIdReusePolicy,
} from '@temporalio/client';
import { WORKFLOW } from '../contracts/names';
import { CommandError } from './command-error';
import { EXIT, exitCodeOf } from './exit-codes';
import { findMap } from './find-map';
import { mapEnd } from './map-end';
import { type Server, withinTime } from './server';

/** Run id of the new map. An id whose map was refused at admission is free: nothing was run under it. Throws MAP_EXISTS. */
export async function startMap(server: Server, mapId: string, argument: unknown): Promise<string> {
  try {
    return await startUnder(server, mapId, argument, 'REJECT_DUPLICATE');
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const earlier = await findMap(server, mapId);
    if (!(await wasRefused(server, earlier))) throw mapExists(earlier);
  }
  return startUnder(server, mapId, argument, 'ALLOW_DUPLICATE_FAILED_ONLY');
}

async function startUnder(
  server: Server,
  mapId: string,
  argument: unknown,
  workflowIdReusePolicy: WorkflowIdReusePolicy,
): Promise<string> {
  const handle = await withinTime(server, () =>
    server.client.workflow.start(WORKFLOW.datasetMap, {
      taskQueue: server.taskQueue,
      workflowId: mapId,
      args: [argument],
      workflowIdReusePolicy,
      workflowIdConflictPolicy: 'FAIL',
    }),
  );
  return handle.firstExecutionRunId;
}

/** Bad input ends a map before any row; one with a manifest was not refused, whatever ended it. */
async function wasRefused(server: Server, description: WorkflowExecutionDescription): Promise<boolean> {
  if (description.status.name !== 'FAILED') return false;
  const end = await mapEnd(server, description);
  return end.kind === 'failed' && end.code !== null && exitCodeOf(end.code) === EXIT.badInput;
}

function mapExists(description: WorkflowExecutionDescription): CommandError {
  const { workflowId: mapId } = description;
  const status = description.status.name.toLowerCase();
  return new CommandError(
    'MAP_EXISTS',
    `a map ${mapId} exists already (${status}, started ${description.startTime.toISOString()}), and an id is used once; choose another --id, or look at it with: sluice status ${mapId}`,
  );
}
