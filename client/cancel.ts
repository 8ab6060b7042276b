// `sluice cancel`: ends a map early with its table complete, every row with a status.
import type { Command } from 'commander';
import { CONTROL_SIGNAL } from '../contracts/names';
import type { MapState } from '../contracts/results';
import { controlMap } from './control-map';
import { type CommonFlags, newVerb, runVerb, type VerbContext } from './verb';

const ENDING: readonly MapState[] = ['cancelling', 'finishing', 'cancelled', 'completed', 'failed'];

export function cancelVerb(context: VerbContext): Command {
  return newVerb(
    'cancel <map>',
    'end a map early, with its table complete',
    'Nothing new starts; paid or writing calls that were sent get the grace of the spec to end; every row gets a status and the table is written.\nThe workflow ends Completed with the status "cancelled", or Canceled with --native.',
    ['sluice cancel companies-june', 'sluice cancel companies-june --native   # as temporal workflow cancel does'],
  )
    .option('--native', "use Temporal's own cancel instead of the signal")
    .action((mapId: string, flags: CommonFlags & { native?: boolean }) =>
      runVerb(context, flags, () =>
        controlMap(context.shell, flags, {
          mapId,
          order: 'cancel',
          send: (server) => {
            const handle = server.client.workflow.getHandle(mapId);
            return flags.native ? handle.cancel() : handle.signal(CONTROL_SIGNAL.cancel);
          },
          obeyed: (progress) => ENDING.includes(progress.state),
          done: (progress) => `${mapId} is ${progress.state}; see its end with: sluice watch ${mapId}`,
        }),
      ),
    );
}
