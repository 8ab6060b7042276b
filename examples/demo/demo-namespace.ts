// A namespace of its own for each demo: no worker, map or gate of another run meets this one, whatever else the server does.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';

export interface DemoNamespace {
  namespace: string;
  /** Not used before: the run store outlives the namespace. */
  mapId: string;
  /** Cancels the map and resolves when it has ended, or after `withinMs`; true when it has. Needs a worker. */
  cancelMap(withinMs: number): Promise<boolean>;
  /** Terminates what still runs, such as the providers' gates, which would run for months. What has ended can still be looked at. */
  close(): Promise<void>;
}

/** `stamp` tells this demo from all others. */
export async function openDemoNamespace(address: string, stamp: string): Promise<DemoNamespace> {
  const namespace = `demo-${stamp}`;
  const mapId = `companies-${stamp}`;
  const connection = await Connection.connect({ address });
  await connection.workflowService.registerNamespace({
    namespace,
    description: 'one run of ./temporal-dev.sh demo',
    workflowExecutionRetentionPeriod: msToTs('3 days'),
  });
  const { workflow } = new Client({ connection, namespace });
  const hasEnded = (handle: WorkflowHandle) =>
    handle.result().then(
      () => true,
      () => true,
    );
  return {
    namespace,
    mapId,
    async cancelMap(withinMs) {
      const handle = workflow.getHandle(mapId);
      await handle.cancel();
      return Promise.race([hasEnded(handle), sleep(withinMs, false, { ref: false })]);
    },
    async close() {
      for await (const { workflowId } of workflow.list({ query: "ExecutionStatus = 'Running'" })) {
        // It may have ended since it was listed.
        await workflow
          .getHandle(workflowId)
          .terminate('the demo has ended')
          .catch(() => undefined);
      }
      await connection.close();
    },
  };
}
