// `sluice status`: one look at a map, running or ended.
import type { Command } from 'commander';
import { CommandError } from './command-error';
import { connectionSettings } from './connection-settings';
import { EXIT } from './exit-codes';
import { findMap } from './find-map';
import { mapEnd } from './map-end';
import { whyNoAnswer } from './no-answer';
import { observeMap } from './observe-map';
import { endLines } from './render-end';
import { snapshotLines } from './render-snapshot';
import { type Server, withServer } from './server';
import { print, printJson, type Shell } from './shell';
import { type CommonFlags, newVerb, runVerb, type VerbContext } from './verb';

export function statusVerb(context: VerbContext): Command {
  return newVerb(
    'status <map>',
    'show a map once',
    'Shows what watch shows, once; for a map that has ended its counts and where the table lies. The exit code is 0 either way.',
    ['sluice status companies-june', 'sluice status companies-june --json'],
  ).action((mapId: string, flags: CommonFlags) =>
    runVerb(context, flags, () =>
      withServer(connectionSettings(flags, context.shell.env), (server) =>
        status(server, context.shell, mapId, flags.json === true),
      ),
    ),
  );
}

async function status(server: Server, shell: Shell, mapId: string, json: boolean): Promise<number> {
  const description = await findMap(server, mapId);
  if (description.status.name !== 'RUNNING') {
    const end = await mapEnd(server, description);
    if (json) printJson(shell, { type: 'end', ...end });
    else print(shell, ...endLines(end));
    return EXIT.ok;
  }
  const snapshot = await observeMap(server, mapId, shell.now).look();
  if (snapshot === null) {
    throw new CommandError('NO_WORKER', (await whyNoAnswer(server, mapId, shell.now())).message);
  }
  if (json) printJson(shell, { type: 'progress', ...snapshot });
  else print(shell, ...snapshotLines(snapshot));
  return EXIT.ok;
}
