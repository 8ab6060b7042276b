// `sluice set-concurrency`: changes how many rows of a running map are open, and how many may be parked beyond them.
import type { Command } from 'commander';
import { MAX_CONCURRENCY_ROWS, MAX_PARKED_ROWS } from '../contracts/limits';
import { CONTROL_SIGNAL, type SetConcurrency } from '../contracts/names';
import { controlMap } from './control-map';
import { type CommonFlags, newVerb, runVerb, type VerbContext, wholeNumberFlag } from './verb';

export function setConcurrencyVerb(context: VerbContext): Command {
  return newVerb(
    'set-concurrency <map>',
    'change how many rows of a map are open',
    'Lowering it stops new rows until enough of the open ones have ended; none is interrupted.',
    ['sluice set-concurrency companies-june --rows 50', 'sluice set-concurrency companies-june --rows 1 --parked 0'],
  )
    .option('--rows <n>', 'rows open at the same time', wholeNumberFlag(1, MAX_CONCURRENCY_ROWS))
    .option('--parked <n>', 'rows that may wait beyond them', wholeNumberFlag(0, MAX_PARKED_ROWS))
    .action(function (this: Command, mapId: string, flags: CommonFlags & { rows?: number; parked?: number }) {
      const { rows, parked } = flags;
      if (rows === undefined && parked === undefined) this.error('error: give --rows, --parked, or both');
      const change: SetConcurrency = {
        ...(rows === undefined ? {} : { rows }),
        ...(parked === undefined ? {} : { parkedRows: parked }),
      };
      return runVerb(context, flags, () =>
        controlMap(context.shell, flags, {
          mapId,
          order: 'set-concurrency',
          send: (server) => server.client.workflow.getHandle(mapId).signal(CONTROL_SIGNAL.setConcurrency, change),
          obeyed: ({ concurrency }) =>
            (rows ?? concurrency?.rows) === concurrency?.rows &&
            (parked ?? concurrency?.parkedRows) === concurrency?.parkedRows,
          done: (progress) =>
            `${mapId} has ${progress.concurrency?.rows} rows open at most, ${progress.concurrency?.parkedRows} parked beyond them`,
        }),
      );
    });
}
