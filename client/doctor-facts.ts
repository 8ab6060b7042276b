// What doctor asks the server: version, namespace, fair share, workers, open maps, and the gates of the providers they use.
import { ASK_PAGES_PER_TICK, ASK_SUSPECTS, DOCTOR_MAPS, QUERY_CONCURRENCY } from '../contracts/limits';
import { WORKFLOW } from '../contracts/names';
import { type Fairness, probeFairness } from './fairness-probe';
import { gateNames, type NamedGate, readGates } from './gates/read-gates';
import { inTurns } from './in-turns';
import { mapQueries } from './map-queries';
import { openSectionIds, withOpenSections } from './open-sections';
import { type PendingFailure, pendingFailures } from './pending-failures';
import { livePollers, type Poller } from './pollers';
import { type Server, withinTime } from './server';
import { suspects } from './suspects';

export interface OpenMap {
  mapId: string;
  /** `<provider>.<account>` of its tools; null when no worker answered. */
  providers: string[] | null;
  /** Activities of the map, of its open sections and pages and of some rows that wait, which fail and are tried again. */
  failing: PendingFailure[];
}

export interface DoctorFacts {
  address: string;
  namespace: string;
  taskQueue: string;
  serverVersion: string;
  /** How long closed workflows, and with them receipts, are kept. */
  retentionMs: number;
  /** When all this was looked at, on this machine's clock. */
  takenAtMs: number;
  fairness: Fairness;
  /** Workers that have polled the main task queue lately, with when they did: read last, when what was asked has made the live ones poll anew. */
  workers: Poller[];
  /** Every gate of the namespace. */
  gates: NamedGate[];
  /** At most DOCTOR_MAPS of them, the latest first. */
  openMaps: OpenMap[];
  moreMaps: boolean;
}

export async function doctorFacts(server: Server, now: () => number): Promise<DoctorFacts> {
  const { workflowService } = server.connection;
  const system = await withinTime(server, () => workflowService.getSystemInfo({}));
  const described = await withinTime(server, () => workflowService.describeNamespace({ namespace: server.namespace }));
  const fairness = await probeFairness(server);
  const isServed = (await livePollers(server, now())).length > 0;
  const ids = await openMapIds(server);
  const shown = ids.slice(0, DOCTOR_MAPS);
  const openMaps = await inTurns(shown, QUERY_CONCURRENCY, (mapId) => openMap(server, mapId, isServed, now));
  const gates = isServed ? await readGates(server, await gateNames(server)) : [];
  const takenAtMs = now();
  return {
    address: server.address,
    namespace: server.namespace,
    taskQueue: server.taskQueue,
    serverVersion: system.serverVersion,
    retentionMs: Number(described.config?.workflowExecutionRetentionTtl?.seconds ?? 0) * 1000,
    takenAtMs,
    fairness,
    workers: await livePollers(server, takenAtMs),
    gates,
    openMaps,
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

async function openMap(server: Server, mapId: string, isServed: boolean, now: () => number): Promise<OpenMap> {
  const queries = mapQueries(server);
  const own = isServed ? await queries.map(mapId) : null;
  if (own === null) return { mapId, providers: null, failing: await pendingFailures(server, [mapId]) };
  const { openPages, providers } = await withOpenSections(own, queries.section);
  const pages = openPages.map(({ workflowId }) => workflowId).slice(0, ASK_PAGES_PER_TICK);
  const open = (await inTurns(pages, QUERY_CONCURRENCY, queries.openRows)).flatMap((rows) => rows ?? []);
  const waiting = suspects(open, new Map(), now()).slice(0, ASK_SUSPECTS);
  const failing = await pendingFailures(server, [mapId, ...openSectionIds(own), ...pages, ...waiting]);
  return { mapId, providers, failing };
}
