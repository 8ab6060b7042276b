// `sluice start`: checks a spec, starts its map, and tells whether it was admitted.
import type { Command } from 'commander';
import { connectionSettings } from './connection-settings';
import { EXIT } from './exit-codes';
import { type LoadedSpec, loadSpec } from './load-spec';
import { checkedMapId, defaultMapId } from './map-id';
import { withServer } from './server';
import { amountFlag, callsFlag } from './set-caps';
import { print, printJson, type Shell } from './shell';
import type { SpecFlags } from './spec-flags';
import { startAndTell, type TellFlags } from './start-and-tell';
import { namesFlag, newVerb, runVerb, type VerbContext, wholeNumberFlag } from './verb';

interface StartFlags extends TellFlags, SpecFlags {
  id?: string;
  dryRun?: boolean;
}

export function startVerb(context: VerbContext): Command {
  return newVerb(
    'start <file>',
    'start a map from a spec',
    'Checks a spec (YAML or JSON), starts its map, and waits a few seconds to see whether it is admitted.\nRelative paths in the spec are resolved from the folder of the file.',
    [
      'sluice start companies.map.yaml',
      'sluice start companies.map.yaml --id companies-june --limit 20 --watch',
      'sluice start companies.map.yaml --force-column firm --force-rows acme.example',
      'sluice start companies.map.yaml --dry-run',
    ],
  )
    .option('--id <id>', 'id of the map; an id is used once (default <name>-<yyyymmdd-hhmmss>, UTC)')
    .option('--limit <rows>', 'only the first rows of the dataset', wholeNumberFlag(1, Number.MAX_SAFE_INTEGER))
    .option('--max-calls <n>', 'pause when one more row may exceed this many calls', callsFlag)
    .option('--max-cost <amount>', 'pause when one more row may cost more than this in all', amountFlag)
    .option('--force-column <names>', 'buy anew what an earlier run has bought for these columns (a,b)', namesFlag)
    .option('--force-rows <keys>', 'the same for the rows with these keys (k1,k2)', namesFlag)
    .option('--force-tool <names>', 'the same for calls of these tools', namesFlag)
    .option('--overwrite', 'replace tables that exist')
    .option('--watch', 'stay and show progress until the map ends')
    .option('--no-wait', 'do not wait for admission')
    .option('--dry-run', 'check the spec and show what would be started; needs no server')
    .action((file: string, flags: StartFlags) => runVerb(context, flags, () => start(context.shell, file, flags)));
}

async function start(shell: Shell, file: string, flags: StartFlags): Promise<number> {
  const spec = loadSpec(file, flags, shell.cwd);
  const mapId = checkedMapId(flags.id ?? defaultMapId(spec.name, shell.now()));
  const settings = connectionSettings(flags, shell.env);
  if (flags.dryRun) return dryRun(shell, mapId, spec, settings.taskQueue, flags);

  return withServer(settings, (server) => startAndTell(shell, server, flags, { mapId, argument: spec.argument }));
}

function dryRun(shell: Shell, mapId: string, spec: LoadedSpec, taskQueue: string, flags: StartFlags): number {
  if (flags.json) printJson(shell, { mapId, taskQueue, spec: spec.argument, started: false });
  else print(shell, `would start ${mapId} on task queue ${taskQueue} with:`, JSON.stringify(spec.argument, null, 2));
  return EXIT.ok;
}
