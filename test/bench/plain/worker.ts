// A worker for the plain fan-out, with the same settings as Sluice's own.
import { join } from 'node:path';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { MAIN_ACTIVITY_SLOTS } from '../../../contracts/limits';
import { workflowBundle } from '../../../worker/bundle';
import { readConfig, workflowTaskSlots } from '../../../worker/config';
import { createLogger } from '../../../worker/log';

async function main(): Promise<void> {
  Runtime.install({ shutdownSignals: ['SIGTERM'], logger: createLogger('ERROR') });
  const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS as string });
  const worker = await Worker.create({
    connection,
    namespace: process.env.TEMPORAL_NAMESPACE as string,
    taskQueue: 'plain',
    workflowBundle: await workflowBundle(join(__dirname, 'workflows.ts')),
    activities: { work: async (row: number) => `done ${row}` },
    maxCachedWorkflows: readConfig({}, '.').cachedWorkflows,
    maxConcurrentWorkflowTaskExecutions: workflowTaskSlots(),
    maxConcurrentActivityTaskExecutions: MAIN_ACTIVITY_SLOTS,
  });
  process.stderr.write('worker plain serves \n');
  await worker.run();
}

void main();
