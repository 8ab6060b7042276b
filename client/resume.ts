// `sluice resume`: goes on with a paused map.
import type { Command } from 'commander';
import { CONTROL_SIGNAL } from '../contracts/names';
import { controlMap } from './control-map';
import { type CommonFlags, newVerb, runVerb, type VerbContext } from './verb';

export function resumeVerb(context: VerbContext): Command {
  return newVerb(
    'resume <map>',
    'go on with a paused map',
    'Calls that a pause withdrew are dispatched again; a map that is not paused is left as it is.',
    ['sluice resume companies-june', 'temporal workflow signal -w companies-june --name resume   # the same'],
  ).action((mapId: string, flags: CommonFlags) =>
    runVerb(context, flags, () =>
      controlMap(context.shell, flags, {
        mapId,
        order: 'resume',
        send: (server) => server.client.workflow.getHandle(mapId).signal(CONTROL_SIGNAL.resume),
        obeyed: (progress) => progress.state !== 'paused',
        done: (progress) => `${mapId} is ${progress.state}`,
      }),
    ),
  );
}
