// `sluice watch`: shows a map until it ends.
import type { Command } from 'commander';
import { connectionSettings } from './connection-settings';
import { withServer } from './server';
import { type CommonFlags, newVerb, runVerb, type VerbContext } from './verb';
import { watchMap } from './watch-map';

export function watchVerb(context: VerbContext): Command {
  return newVerb(
    'watch <map>',
    'show a map until it ends',
    'Shows rows, rate and what each provider is doing, refreshed each second; without a terminal one line a change.\nEnds when the map ends, with an exit code that says how. With --json: one JSON line a second, the last of type "end".',
    ['sluice watch companies-june', 'sluice watch companies-june --json | jq .rows'],
  ).action((mapId: string, flags: CommonFlags) =>
    runVerb(context, flags, () =>
      withServer(connectionSettings(flags, context.shell.env), (server) =>
        watchMap(server, context.shell, mapId, flags.json === true),
      ),
    ),
  );
}
