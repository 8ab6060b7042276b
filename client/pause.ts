// `sluice pause`: starts nothing new in a map; calls that were sent finish.
import type { Command } from 'commander';
import { CONTROL_SIGNAL } from '../contracts/names';
import { controlMap } from './control-map';
import { type CommonFlags, newVerb, runVerb, type VerbContext } from './verb';

export function pauseVerb(context: VerbContext): Command {
  return newVerb(
    'pause <map>',
    'start nothing new in a map',
    'Calls that were sent finish, calls that were not sent are withdrawn until resume, timers keep their instants.',
    ['sluice pause companies-june', 'temporal workflow signal -w companies-june --name pause   # the same'],
  ).action((mapId: string, flags: CommonFlags) =>
    runVerb(context, flags, () =>
      controlMap(context.shell, flags, {
        mapId,
        order: 'pause',
        send: (server) => server.client.workflow.getHandle(mapId).signal(CONTROL_SIGNAL.pause),
        obeyed: (progress) => progress.state === 'paused',
        done: () => `${mapId} is paused; go on with: sluice resume ${mapId}`,
      }),
    ),
  );
}
