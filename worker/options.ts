// Options of the two kinds of Worker in this process: one for maps, pages, rows and their files, one for each provider account.
import { hostname } from 'node:os';
import type { WorkerOptions } from '@temporalio/worker';
import { createActivities, createCallActivities, type ServerPorts } from '../activities';
import { HEARTBEAT_EVERY_MS, MAIN_ACTIVITY_SLOTS, SHUTDOWN_MARGIN_MS, STICKY_QUEUE_MS } from '../contracts/limits';
import { MAIN_TASK_QUEUE } from '../contracts/names';
import { type WorkerConfig, workflowTaskSlots } from './config';
import type { Composition } from './deps';
import { createGateSlotSupplier } from './gates/slot-supplier';

/** `sluice/<host>/<pid>/<provider.account,…>`: what `temporal task-queue describe` and `sluice doctor` show. */
export function workerIdentity({ deps }: Composition): string {
  const served = deps.tools.providers().map(({ provider, account }) => `${provider}.${account}`);
  return `sluice/${hostname()}/${process.pid}/${served.join(',')}`;
}

function sharedOptions(
  composition: Composition,
): Pick<WorkerOptions, 'identity' | 'shutdownGraceTime' | 'shutdownForceTime' | 'maxHeartbeatThrottleInterval'> {
  const graceMs = composition.longestToolTimeoutMs + SHUTDOWN_MARGIN_MS;
  return {
    identity: workerIdentity(composition),
    shutdownGraceTime: graceMs,
    shutdownForceTime: graceMs + SHUTDOWN_MARGIN_MS,
    maxHeartbeatThrottleInterval: HEARTBEAT_EVERY_MS,
  };
}

export function mainWorkerOptions(
  composition: Composition,
  config: WorkerConfig,
  server: ServerPorts,
): Omit<WorkerOptions, 'connection' | 'namespace' | 'workflowBundle'> {
  return {
    ...sharedOptions(composition),
    taskQueue: MAIN_TASK_QUEUE,
    activities: createActivities({ ...composition.deps, ...server }),
    maxCachedWorkflows: config.cachedWorkflows,
    stickyQueueScheduleToStartTimeout: STICKY_QUEUE_MS,
    maxConcurrentWorkflowTaskExecutions: workflowTaskSlots(),
    maxConcurrentActivityTaskExecutions: MAIN_ACTIVITY_SLOTS,
  };
}

/** One activity-only Worker for each account: it polls only while the account's gate gives it a slot. */
export function providerWorkerOptions(composition: Composition): Omit<WorkerOptions, 'connection' | 'namespace'>[] {
  const { deps, gates } = composition;
  const activities = createCallActivities(deps);
  return deps.tools.providers().map(({ provider, account, taskQueue }) => ({
    ...sharedOptions(composition),
    taskQueue,
    activities,
    tuner: {
      activityTaskSlotSupplier: createGateSlotSupplier(gates.account(provider, account)),
      workflowTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
      localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
      nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
    },
  }));
}
