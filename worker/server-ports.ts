// What activities ask the server, built from the client of the worker.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { ServerPorts } from '../activities';
import { createSharedCalls } from './shared-calls';

export const createServerPorts = (client: Pick<Client, 'workflow'>): ServerPorts => ({
  calls: createSharedCalls(client),
  async isRunning(mapId) {
    try {
      return (await client.workflow.getHandle(mapId).describe()).status.name === 'RUNNING';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  },
});
