// A worker of which only a part runs: only workflows with their files, or only the calls, so that a test decides what meets in one workflow task.
import { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { providerTaskQueue } from '../../contracts/ids';
import { workflowBundle } from '../../worker/bundle';
import { readConfig } from '../../worker/config';
import { compose } from '../../worker/deps';
import { mainWorkerOptions, providerWorkerOptions } from '../../worker/options';
import { createServerPorts } from '../../worker/server-ports';
import type { MapLab } from './map-lab';

/** Runs only the Workers of the main queue, or only those of the providers, while `work` goes on; what they have begun they end. */
export async function withPart(
  lab: MapLab,
  part: 'main' | 'providers',
  work: () => Promise<unknown>,
  workflowsPath?: string,
): Promise<void> {
  const stopping = new AbortController();
  const config = readConfig(lab.settings, lab.folder);
  const composition = await compose(config, stopping.signal);
  const connection = await NativeConnection.connect({ address: lab.address });
  const place = { connection, namespace: lab.namespace };
  const bundle = () => workflowBundle(workflowsPath);
  const created =
    part === 'main'
      ? [
          Worker.create({
            ...mainWorkerOptions(composition, config, createServerPorts(new Client(place))),
            ...place,
            workflowBundle: await bundle(),
          }),
        ]
      : providerWorkerOptions(composition).map((options) => Worker.create({ ...options, ...place }));
  const workers = await Promise.all(created);
  const ended = Promise.all(workers.map((worker) => worker.run()));
  await work();
  stopping.abort();
  for (const worker of workers) worker.shutdown();
  await ended;
  await composition.close();
  await connection.close();
}

/** Calls in the task queue of a provider's default account. */
export async function waitingCalls(lab: MapLab, provider: string): Promise<number> {
  const { stats } = await lab.client.workflowService.describeTaskQueue({
    namespace: lab.namespace,
    taskQueue: { name: providerTaskQueue(provider, 'default') },
    taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
    reportStats: true,
  });
  return Number(stats?.approximateBacklogCount ?? 0);
}
