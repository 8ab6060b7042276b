// `sluice explain`: what happened to one row of a map, read from history alone: no worker and no provider is asked.
import type { Command } from 'commander';
import { connectionSettings } from './connection-settings';
import { EXIT } from './exit-codes';
import { findRow } from './explain/find-row';
import { readRow, storyOf } from './explain/read-row';
import { storyLines } from './explain/render-story';
import { findMap } from './find-map';
import { withServer } from './server';
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
          const row = await readRow(server, await findRow(server, mapId, flags.row));
          const story = await storyOf(server, mapId, row, flags.column);
          if (flags.json) printJson(shell, story);
          else print(shell, ...storyLines(story, shell.now()));
          return EXIT.ok;
        }),
      ),
    );
}
