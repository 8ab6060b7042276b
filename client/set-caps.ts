// `sluice set-caps`: changes what a running map may buy; one that stands at a cap goes on.
import { type Command, InvalidArgumentError } from 'commander';
import { CONTROL_SIGNAL, type SetCaps } from '../contracts/names';
import { controlMap } from './control-map';
import { budgetLine } from './render-budget';
import { type CommonFlags, newVerb, runVerb, type VerbContext, wholeNumberFlag } from './verb';

const NO_CAP = 'none';
type CapFlag = number | typeof NO_CAP;

/** The word stays a word: commander takes a null for a missing value. */
const capFlag =
  (read: (text: string) => number) =>
  (text: string): CapFlag =>
    text === NO_CAP ? NO_CAP : read(text);
const capOf = (flag: CapFlag | undefined) => (flag === NO_CAP ? null : flag);

/** Parser of a flag that takes an amount of money above 0. */
export function amountFlag(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('Expected an amount above 0, such as 12.50.');
}

export const callsFlag = wholeNumberFlag(1, Number.MAX_SAFE_INTEGER);

export function setCapsVerb(context: VerbContext): Command {
  return newVerb(
    'set-caps <map>',
    'change what a map may buy',
    'A map that stands at a cap goes on when it is raised. A lowered cap starts no further rows; rows that were let start already run on.',
    ['sluice set-caps companies-june --max-cost 50', 'sluice set-caps companies-june --max-calls none'],
  )
    .option('--max-calls <n>', `calls that the map may make in all, or "${NO_CAP}"`, capFlag(callsFlag))
    .option('--max-cost <amount>', `sum of prices that it may spend in all, or "${NO_CAP}"`, capFlag(amountFlag))
    .action(function (this: Command, mapId: string, flags: CommonFlags & { maxCalls?: CapFlag; maxCost?: CapFlag }) {
      const maxCalls = capOf(flags.maxCalls);
      const maxCost = capOf(flags.maxCost);
      if (maxCalls === undefined && maxCost === undefined) this.error('error: give --max-calls, --max-cost, or both');
      const change: SetCaps = {
        ...(maxCalls === undefined ? {} : { maxCalls }),
        ...(maxCost === undefined ? {} : { maxCost }),
      };
      return runVerb(context, flags, () =>
        controlMap(context.shell, flags, {
          mapId,
          order: 'set-caps',
          send: (server) => server.client.workflow.getHandle(mapId).signal(CONTROL_SIGNAL.setCaps, change),
          obeyed: ({ budget }) =>
            budget !== undefined &&
            (maxCalls === undefined || budget.caps.maxCalls === maxCalls) &&
            (maxCost === undefined || budget.caps.maxCost === maxCost),
          done: ({ budget }) => `${mapId}: ${budget ? budgetLine(budget) : 'no caps'}`,
        }),
      );
    });
}
