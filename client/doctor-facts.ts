// What doctor asks the server: version, namespace, workers on the main queue, open maps and the providers they use.
import { DOCTOR_MAPS, QUERY_CONCURRENCY } from '../contracts/limits';
import { WORKFLOW } from '../contracts/names';
import { inTurns } from './in-turns';
import { mapQueries } from './map-queries';
import { livePollers } from './pollers';
import { type Server, withinTime } from './server';

export interface OpenMap {
  mapId: string;
  /** `<provider>.<account>` of its tools; null when no worker answered. */
  providers: string[] | null;
}

export interface DoctorFacts {
  address: string;
  namespace: string;
  taskQueue: string;
  serverVersion: string;
  /** How long closed workflows, and with them receipts, are kept. */
  retentionMs: number;
  /** Identities of the live workers on the main task queue. */
  workers: string[];
  /** At most DOCTOR_MAPS of them, the latest first. */
  openMaps: OpenMap[];
  moreMaps: boolean;
}

export async function doctorFacts(server: Server, now: () => number): Promise<DoctorFacts> {
  const { workflowService } = server.connection;
  const system = await withinTime(server, () => workflowService.getSystemInfo({}));
  const described = await withinTime(server, () => workflowService.describeNamespace({ namespace: server.namespace }));
  const pollers = await livePollers(server, now());
  const ids = await openMapIds(server);
  const shown = ids.slice(0, DOCTOR_MAPS);
  return {
    address: server.address,
    namespace: server.namespace,
    taskQueue: server.taskQueue,
    serverVersion: system.serverVersion,
    retentionMs: Number(described.config?.workflowExecutionRetentionTtl?.seconds ?? 0) * 1000,
    workers: pollers.map((poller) => poller.identity),
    openMaps:
      pollers.length === 0 ? shown.map((mapId) => ({ mapId, providers: null })) : await withProviders(server, shown),
    moreMaps: ids.length > shown.length,
  };
}

/** One more than is looked at, to tell whether there are more. */
async function openMapIds(server: Server): Promise<string[]> {
  const query = `WorkflowType = '${WORKFLOW.datasetMap}' AND ExecutionStatus = 'Running'`;
  const ids: string[] = [];
  for await (const map of server.client.workflow.list({ query, pageSize: DOCTOR_MAPS + 1 })) {
    ids.push(map.workflowId);
    if (ids.length > DOCTOR_MAPS) break;
  }
  return ids;
}

const withProviders = (server: Server, mapIds: readonly string[]): Promise<OpenMap[]> =>
  inTurns(mapIds, QUERY_CONCURRENCY, async (mapId) => ({
    mapId,
    providers: (await mapQueries(server).map(mapId))?.providers ?? null,
  }));
