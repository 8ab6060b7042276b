// Looks at a running map again and again: asks map, pages, rows and gates, and keeps between looks what need not be asked anew.
import {
  ASK_PAGES_PER_TICK,
  ASK_ROWS_WITHIN_MS,
  ASK_SUSPECTS,
  POLLERS_EVERY_MS,
  QUERY_CONCURRENCY,
} from '../contracts/limits';
import type { MapProgress, OpenRow, PageProgress } from '../contracts/results';
import { askRow } from './ask-row';
import { readGates } from './gates/read-gates';
import { type HoldsBook, rowsToAsk, withAnswers } from './holds-book';
import { inTurns } from './in-turns';
import { mapQueries } from './map-queries';
import { mergeProgress, type Totals } from './merge-progress';
import { openSectionIds, withOpenSections } from './open-sections';
import { type PendingFailure, pendingFailures } from './pending-failures';
import { livePollers } from './pollers';
import { type Asked, type ProviderActivity, providerActivity } from './provider-activity';
import { restMs, rowsPerSecond, type Sample, withSample } from './rate';
import type { Server } from './server';
import { suspects } from './suspects';
import { takeTurns } from './turns';
import { unservedProviders } from './worker-identity';

/** One look at a map: what `status` prints once and `watch` each second. */
export interface Snapshot extends Totals {
  mapId: string;
  runId: string;
  name: string | null;
  state: MapProgress['state'];
  startedAtMs: number;
  takenAtMs: number;
  providers: ProviderActivity[];
  asked: Asked;
  rowsPerSecond: number | null;
  restMs: number | null;
  /** What fails and is tried again, of the map, its open sections and pages, and some of the rows and shared calls that wait; looked at every few seconds. */
  pending: PendingFailure[];
  warnings: string[];
  budget?: MapProgress['budget'];
  pausedBy?: MapProgress['pausedBy'];
}

export interface MapObserver {
  /** Null when no worker answers the query of the map. */
  look(): Promise<Snapshot | null>;
}

const answered = (id: string, page: PageProgress | null | undefined): [string, PageProgress][] =>
  page ? [[id, page]] : [];

export function observeMap(server: Server, mapId: string, now: () => number): MapObserver {
  const queries = mapQueries(server);
  let book: HoldsBook = new Map();
  let samples: Sample[] = [];
  /** Last answer of each open page: one that gives none this time is counted as it was, so that no figure goes backwards. */
  let known = new Map<string, PageProgress>();
  let pending: { readAtMs: number; failures: PendingFailure[] } | null = null;
  let workers: { readAtMs: number; identities: string[] } | null = null;

  const pagesInTurn = takeTurns(ASK_PAGES_PER_TICK);
  const suspectsInTurn = takeTurns(ASK_SUSPECTS);

  const askRows = async (open: readonly OpenRow[]): Promise<void> => {
    const ids = rowsToAsk(open, book, now());
    const endMs = now() + ASK_ROWS_WITHIN_MS;
    const ask = async (id: string) => [id, await askRow(queries, id)] as const;
    const answers = await inTurns(ids, QUERY_CONCURRENCY, ask, () => now() > endMs);
    book = withAnswers(book, open, new Map(answers), now());
  };

  const unserved = async (providers: readonly string[]): Promise<string[] | null> => {
    if (workers === null || now() - workers.readAtMs >= POLLERS_EVERY_MS) {
      const pollers = await livePollers(server, now());
      workers = { readAtMs: now(), identities: pollers.map((poller) => poller.identity) };
    }
    return unservedProviders(workers.identities, providers);
  };

  const failing = async (drivers: readonly string[], waiting: readonly string[]): Promise<PendingFailure[]> => {
    if (pending === null || now() - pending.readAtMs >= POLLERS_EVERY_MS) {
      const failures = await pendingFailures(server, [...drivers, ...suspectsInTurn(waiting)]);
      pending = { readAtMs: now(), failures };
    }
    return pending.failures;
  };

  return {
    look: async () => {
      const own = await queries.map(mapId);
      if (own === null) return null;
      const map = await withOpenSections(own, queries.section);
      const ids = pagesInTurn(map.openPages).map((page) => page.workflowId);
      const [pages, openRows, gates] = await Promise.all([
        inTurns(ids, QUERY_CONCURRENCY, queries.page),
        inTurns(ids, QUERY_CONCURRENCY, queries.openRows),
        readGates(server, map.providers),
      ]);
      const open = openRows.flatMap((rows) => rows ?? []);
      await askRows(open);

      const answers = new Map(ids.map((id, at) => [id, pages[at] ?? known.get(id) ?? null]));
      known = new Map(map.openPages.flatMap(({ workflowId: id }) => answered(id, answers.get(id) ?? known.get(id))));
      const totals = mergeProgress(
        map,
        map.openPages.map(({ workflowId: id }) => known.get(id) ?? null),
      );
      const takenAtMs = now();
      const facts = { providers: map.providers, gates, unserved: await unserved(map.providers) };
      const { activity, asked } = providerActivity(facts, open, book, takenAtMs);
      samples = withSample(samples, { atMs: takenAtMs, ended: totals.ended });
      const rate = rowsPerSecond(samples);
      const closedProviders = activity.filter((provider) => provider.closedUntilMs !== null).length;
      const { runId, name, state, startedAtMs, warnings, budget, pausedBy } = map;
      return {
        mapId,
        runId,
        name,
        state,
        startedAtMs,
        takenAtMs,
        ...totals,
        providers: activity,
        asked,
        rowsPerSecond: rate,
        pending: await failing([mapId, ...openSectionIds(own), ...ids], suspects(open, book, takenAtMs)),
        restMs: restMs(rate, (totals.total ?? 0) - totals.ended, { parked: totals.parked, closedProviders }),
        warnings,
        ...(budget ? { budget } : {}),
        ...(pausedBy ? { pausedBy } : {}),
      };
    },
  };
}
