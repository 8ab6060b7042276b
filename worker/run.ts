// Runs the Workers of this process until they are told to stop; calls that were not sent go back to the server as holds.
import { setMaxListeners } from 'node:events';
import { Client } from '@temporalio/client';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { DefinedTool } from '../activities/tools/define-tool';
import { workflowBundle } from './bundle';
import type { WorkerConfig } from './config';
import type { ConnectionSettings } from './connection';
import { compose } from './deps';
import { keepLeases } from './gates/leases';
import { mainWorkerOptions, providerWorkerOptions, workerIdentity } from './options';
import { createServerPorts } from './server-ports';

export interface RunningWorker {
  identity: string;
  /** Resolves when every Worker has ended; rejects when one of them failed. */
  finished: Promise<void>;
  /** Ends gracefully: nothing new is sent, what was sent may end. Idempotent. */
  stop(): void;
}

/** What a worker may run instead of what ships with it. */
export interface WorkerParts {
  /** Entry of the workflow bundle. */
  workflowsPath?: string;
  codeTools?: readonly DefinedTool[];
}

export async function startWorker(
  config: WorkerConfig,
  { connectionOptions, namespace }: ConnectionSettings,
  { workflowsPath, codeTools }: WorkerParts = {},
): Promise<RunningWorker> {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // each call under way listens, and lets go at its end
  const composition = await compose(config, stopping.signal, codeTools);
  const [connection, bundle] = await Promise.all([
    NativeConnection.connect(connectionOptions),
    workflowBundle(workflowsPath),
  ]);
  const client = new Client({ connection, namespace });
  const server = createServerPorts(client);
  const leases = keepLeases(composition.gates, client, {
    ttlMs: config.leaseTtlMs,
    warn: (message) => Runtime.instance().logger.warn(message),
  });
  const created = [
    Worker.create({ ...mainWorkerOptions(composition, config, server), connection, namespace, workflowBundle: bundle }),
    ...providerWorkerOptions(composition).map((options) => Worker.create({ ...options, connection, namespace })),
  ];
  const workers = await Promise.all(created);
  const stop = () => {
    if (stopping.signal.aborted) return;
    stopping.abort(new Error('the worker is stopping'));
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  async function runAll(): Promise<void> {
    try {
      await Promise.all(workers.map((worker) => worker.run()));
    } finally {
      stop();
      await Promise.allSettled(workers.map((worker) => waitUntilStopped(worker)));
      await leases.stop();
      await composition.close();
      await connection.close();
    }
  }
  return { identity: workerIdentity(composition), finished: runAll(), stop };
}

/** A connection may only be closed when no Worker uses it any more. */
async function waitUntilStopped(worker: Worker): Promise<void> {
  while (worker.getState() !== 'STOPPED' && worker.getState() !== 'FAILED') {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
