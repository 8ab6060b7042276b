// Who polls a task queue, from the server: the only place where a closed provider's worker shows is the main queue.
import { temporal } from '@temporalio/proto';
import { POLLER_STALE_MS } from '../contracts/limits';
import { readWithinTime, type Server } from './server';

export interface Poller {
  identity: string;
  lastAccessMs: number;
}

/** Live pollers of workflow tasks on the queue, sorted by identity; the server remembers dead ones for minutes, they are left out. */
export async function livePollers(server: Server, nowMs: number): Promise<Poller[]> {
  const { pollers } = await readWithinTime(server, () =>
    server.connection.workflowService.describeTaskQueue({
      namespace: server.namespace,
      taskQueue: { name: server.taskQueue },
      taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    }),
  );
  const known = pollers.map((poller) => ({
    identity: poller.identity ?? '',
    lastAccessMs: Number(poller.lastAccessTime?.seconds ?? 0) * 1000,
  }));
  return known
    .filter((poller) => nowMs - poller.lastAccessMs <= POLLER_STALE_MS)
    .sort((a, b) => a.identity.localeCompare(b.identity));
}
