// `sluice list`: the maps of a namespace with their state and rows, the latest first.
import { type Command, Option } from 'commander';
import { sumRowCounts } from '../contracts/counting';
import { LIST_MAPS, MAX_LIST_MAPS, QUERY_CONCURRENCY } from '../contracts/limits';
import { WORKFLOW } from '../contracts/names';
import type { RowCounts } from '../contracts/results';
import { connectionSettings } from './connection-settings';
import { EXIT } from './exit-codes';
import { clock, table } from './format';
import { inTurns } from './in-turns';
import { mapEnd } from './map-end';
import { mapQueries } from './map-queries';
import { statusCounts } from './render-counts';
import { type Server, withServer } from './server';
import { print, printJson } from './shell';
import { type CommonFlags, newVerb, runVerb, type VerbContext, wholeNumberFlag } from './verb';

interface ListFlags extends CommonFlags {
  limit: number;
  status?: string;
}

export interface ListedMap {
  mapId: string;
  /** State of a running map, or how an ended one ended; `running` when no worker answers for it. */
  status: string;
  startedAtMs: number;
  /** Null when no worker answers, or the map had no rows to count. */
  rows: RowCounts | null;
  total: number | null;
}

export function listVerb(context: VerbContext): Command {
  const { shell } = context;
  return newVerb(
    'list',
    'the maps of the namespace, the latest first',
    'Shows each map with its state, its start and its rows. Maps that the namespace has forgotten are not in it (see doctor: retention).',
    [
      'sluice list',
      'sluice list --status running --limit 100 --json',
      `temporal workflow list --query "WorkflowType = 'datasetMap'"   # the ids alone`,
    ],
  )
    .option('--limit <maps>', 'at most so many', wholeNumberFlag(1, MAX_LIST_MAPS), LIST_MAPS)
    .addOption(
      new Option('--status <status>', 'only those').choices([
        'running',
        'completed',
        'failed',
        'canceled',
        'terminated',
      ]),
    )
    .action((flags: ListFlags) =>
      runVerb(context, flags, () =>
        withServer(connectionSettings(flags, shell.env), async (server) => {
          const maps = await listedMaps(server, flags);
          if (flags.json) printJson(shell, { maps });
          else print(shell, ...mapLines(maps, shell.now()));
          return EXIT.ok;
        }),
      ),
    );
}

/** Visibility may lag by a second. */
async function listedMaps(server: Server, { limit, status }: ListFlags): Promise<ListedMap[]> {
  const only = status === undefined ? '' : ` AND ExecutionStatus = '${status[0]?.toUpperCase()}${status.slice(1)}'`;
  const query = `WorkflowType = '${WORKFLOW.datasetMap}'${only}`;
  const found: { mapId: string; runId: string; startedAtMs: number; isRunning: boolean }[] = [];
  for await (const map of server.client.workflow.list({ query, pageSize: limit })) {
    const { workflowId: mapId, runId, startTime } = map;
    found.push({ mapId, runId, startedAtMs: startTime.getTime(), isRunning: map.status.name === 'RUNNING' });
    if (found.length === limit) break;
  }
  found.sort((a, b) => b.startedAtMs - a.startedAtMs);
  return inTurns(found, QUERY_CONCURRENCY, async ({ mapId, runId, startedAtMs, isRunning }) => {
    const state = isRunning ? await runningState(server, mapId) : await endedState(server, mapId, runId);
    return { mapId, startedAtMs, ...state };
  });
}

type State = Pick<ListedMap, 'status' | 'rows' | 'total'>;

async function runningState(server: Server, mapId: string): Promise<State> {
  const progress = await mapQueries(server).map(mapId);
  if (progress === null) return { status: 'running', rows: null, total: null };
  return { status: progress.state, rows: progress.rows, total: progress.cardinality?.uniqueInputRows ?? null };
}

async function endedState(server: Server, mapId: string, runId: string): Promise<State> {
  const end = await mapEnd(server, await server.client.workflow.getHandle(mapId, runId).describe());
  switch (end.kind) {
    case 'result':
      return { status: end.result.status, rows: end.result.rows, total: end.result.cardinality.uniqueInputRows };
    case 'cancelled':
      return { status: 'cancelled', rows: end.progress?.rows ?? null, total: sumOf(end.progress?.rows) };
    case 'failed':
      return { status: `failed ${end.code ?? ''}`.trim(), rows: null, total: null };
    case 'stopped':
      return { status: end.status.toLowerCase().replace('_', ' '), rows: null, total: null };
  }
}

const sumOf = (rows: RowCounts | undefined): number | null => (rows ? sumRowCounts(rows) : null);

function mapLines(maps: readonly ListedMap[], nowMs: number): string[] {
  if (maps.length === 0) return ['no maps'];
  const cells = maps.map(({ mapId, status, startedAtMs, rows, total }) => [
    mapId,
    status,
    clock(startedAtMs, nowMs),
    rows === null ? '' : [...statusCounts(rows), `of ${total ?? '?'}`].join(' · '),
  ]);
  return table([['map', 'status', 'started', 'rows'], ...cells], { indent: '', left: true });
}
