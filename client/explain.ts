// `sluice explain`: what happened to one row of a map, read from history alone: no worker and no provider is asked.
import type { Command } from 'commander';
import { QUERY_CONCURRENCY, SHOWN_CALLS } from '../contracts/limits';
import { CommandError } from './command-error';
import { connectionSettings } from './connection-settings';
import { EXIT } from './exit-codes';
import { findRow } from './explain/find-row';
import { historyOf } from './explain/history';
import { storyLines } from './explain/render-story';
import { rowEvents, sharedEvents } from './explain/row-events';
import { type RowStory, rowStory } from './explain/row-story';
import { findMap } from './find-map';
import { inTurns } from './in-turns';
import { type Server, withServer } from './server';
import { print, printJson } from './shell';
import { type CommonFlags, newVerb, runVerb, type VerbContext } from './verb';

interface ExplainFlags extends CommonFlags {
  row: string;
  column?: string;
}

export function explainVerb(context: VerbContext): Command {
  const { shell } = context;
  return newVerb(
    'explain <map>',
    'tell what happened to one row, and what it bought',
    'For each call: its receipt and how old it is, why it was bought or not, price, billing ids, attempts, and every hold with its instant and reason.\nReads history only, of running and of ended maps, as long as the namespace keeps them.',
    [
      'sluice explain companies-june --row acme.com',
      'sluice explain companies-june --row acme.com --column email --json',
      'sluice explain clicks-june --row 17',
    ],
  )
    .requiredOption(
      '--row <row>',
      'its key (several key columns joined by ","), its line if rows have no key, or its identity',
    )
    .option('--column <name>', 'only the calls of this column')
    .action((mapId: string, flags: ExplainFlags) =>
      runVerb(context, flags, () =>
        withServer(connectionSettings(flags, shell.env), async (server) => {
          await findMap(server, mapId);
          const story = await readStory(server, mapId, await findRow(server, mapId, flags.row), flags.column);
          if (flags.json) printJson(shell, story);
          else print(shell, ...storyLines(story, shell.now()));
          return EXIT.ok;
        }),
      ),
    );
}

/** Throws ROW_NOT_FOUND for a row that was never started, or whose history the server keeps no more. */
export async function readStory(server: Server, mapId: string, rowId: string, column?: string): Promise<RowStory> {
  const history = await historyOf(server, rowId);
  const events = history && (await rowEvents(server, history));
  if (events) {
    const ids = [...events.joins.values()].flatMap(({ callId }) => callId ?? []);
    const shared = await inTurns([...new Set(ids)].slice(0, SHOWN_CALLS), QUERY_CONCURRENCY, async (callId) => {
      const ofCall = await historyOf(server, callId);
      return [callId, ofCall && (await sharedEvents(server, callId, ofCall))] as const;
    });
    return rowStory(mapId, events, new Map(shared), column);
  }
  throw new CommandError(
    'ROW_NOT_FOUND',
    `${rowId} has no history: the row was not started, or the namespace "${server.namespace}" keeps it no longer`,
  );
}
