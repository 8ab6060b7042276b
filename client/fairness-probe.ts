// Finds out whether a server shares a queue fairly between maps, which no API tells: by a queue of its own on which it looks at the order.
import { randomUUID } from 'node:crypto';
import { msToTs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import {
  PROBE_FIRST_POLLS,
  PROBE_LARGE_CALLS,
  PROBE_POLLS,
  PROBE_SMALL_CALLS,
  PROBE_TIMEOUT_MS,
} from '../contracts/limits';
import type { Server } from './server';

/** `unknown`: the server did not let itself be asked, with what it said. */
export type Fairness = { kind: 'fair' | 'unfair' } | { kind: 'unknown'; reason: string };

const LARGE = 'large';
const SMALL = 'small';

/**
 * Queues many activities under one fairness key and then few under another. A fair server gives the few out among the first,
 * any other one after the many. The two workflows behind them are deleted; without that they end in a minute.
 */
export async function probeFairness(server: Server): Promise<Fairness> {
  const queue = `sluice-doctor-${randomUUID()}`;
  const large = { queue, key: LARGE, calls: PROBE_LARGE_CALLS };
  const small = { queue, key: SMALL, calls: PROBE_SMALL_CALLS };
  try {
    return await server.connection.withDeadline(Date.now() + PROBE_TIMEOUT_MS, async () => {
      await queueCalls(server, large);
      // A server queues the activities of one workflow in no order: these show that the many are there before the few come.
      await nextCalls(server, queue, PROBE_FIRST_POLLS);
      await queueCalls(server, small);
      const next = await nextCalls(server, queue, PROBE_POLLS);
      return { kind: next.some((activityId) => activityId.startsWith(SMALL)) ? 'fair' : 'unfair' } as const;
    });
  } catch (error) {
    return { kind: 'unknown', reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await Promise.all([remove(server, large), remove(server, small)]);
  }
}

interface Batch {
  queue: string;
  key: string;
  calls: number;
}

const workflowIdOf = ({ queue, key }: Batch): string => `${queue}-${key}`;

async function queueCalls({ connection: { workflowService }, namespace }: Server, batch: Batch): Promise<void> {
  const workflowId = workflowIdOf(batch);
  const taskQueue = { name: batch.queue };
  await workflowService.startWorkflowExecution({
    ...{ namespace, taskQueue, identity: workflowId, requestId: workflowId, workflowId },
    workflowType: { name: 'sluiceDoctor' },
    workflowExecutionTimeout: msToTs('1m'),
  });
  const { taskToken } = await workflowService.pollWorkflowTaskQueue({ namespace, taskQueue, identity: workflowId });
  await workflowService.respondWorkflowTaskCompleted({
    ...{ namespace, taskToken, identity: workflowId },
    commands: Array.from({ length: batch.calls }, (_, at) => ({
      commandType: temporal.api.enums.v1.CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
      scheduleActivityTaskCommandAttributes: {
        activityId: `${batch.key}-${at}`,
        activityType: { name: 'probe' },
        taskQueue,
        scheduleToCloseTimeout: msToTs('1m'),
        priority: { fairnessKey: batch.key },
      },
    })),
  });
}

/** Ids of the activities that the server gives out next. */
async function nextCalls({ connection, namespace }: Server, queue: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const { activityId } = await connection.workflowService.pollActivityTaskQueue({
      ...{ namespace, taskQueue: { name: queue }, identity: queue },
    });
    ids.push(activityId);
  }
  return ids;
}

/** Not every server lets itself be asked for that: then the workflow stays in its list as timed out. */
async function remove({ connection: { workflowService }, namespace }: Server, batch: Batch): Promise<void> {
  const workflowExecution = { workflowId: workflowIdOf(batch) };
  await workflowService.deleteWorkflowExecution({ namespace, workflowExecution }).catch(() => undefined);
}
