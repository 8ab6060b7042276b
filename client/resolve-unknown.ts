// `sluice unknown resolve`: a person says what became of a call whose outcome nobody knew. Once for each billing request.
import { hostname, userInfo } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { settledCallId } from '../contracts/ids';
import type { Json } from '../contracts/outcomes';
import { SETTLED_AS, type SettledAs, type Settlement } from '../contracts/settlement';
import { connectionSettings } from './connection-settings';
import { EXIT } from './exit-codes';
import { callToSettle, type UnknownCall, unknownCallOf } from './explain/call-to-settle';
import { findRow } from './explain/find-row';
import { readRow, storyOf } from './explain/read-row';
import { settlementText } from './explain/render-story';
import { findMap } from './find-map';
import { withServer } from './server';
import { record, refuseSettled, untilChecked } from './settle-unknown';
import { print, printJson, type Shell } from './shell';
import { type CommonFlags, newVerb, runVerb, type VerbContext } from './verb';

interface ResolveFlags extends CommonFlags {
  row: string;
  column?: string;
  billingId?: string;
  as: SettledAs;
  value?: Json;
  reason?: string;
}

function jsonFlag(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new InvalidArgumentError(
      `Expected JSON, such as '{"employees":12}' or '"text"': ${(error as Error).message}.`,
    );
  }
}

export function resolveVerb(context: VerbContext): Command {
  return newVerb(
    'resolve <map>',
    'say what became of a call whose outcome nobody knew',
    'Ask the provider first. A call is settled once, for every row and map that asks the same; the record is the workflow settled/<billing id>.\n  done    the provider answered: rows get --value, checked against what the tool promises; nothing is bought\n  retry   nothing was charged: the next redrive buys it once under a new billing id (a shared call: the next row that asks)\n  failed  there is no answer: rows fail with RESOLVED_AS_FAILED, and nobody buys it\nRows that have ended change with the next sluice redrive, which needs no --unknown for settled rows. A worker has to run.',
    [
      `sluice unknown resolve companies-june --row acme.com --as done --value '{"employees":12}' --reason "invoice 4711"`,
      'sluice unknown resolve companies-june --row acme.com --column email --as retry',
      'sluice unknown resolve companies-june --row acme.com --as failed --json',
    ],
  )
    .requiredOption(
      '--row <row>',
      'its key (several key columns joined by ","), its line if rows have no key, or its identity',
    )
    .option('--column <name>', 'the column of the call, when several are unknown')
    .option('--billing-id <id>', 'the billing id of the call, when several of one column are unknown')
    .addOption(new Option('--as <what>', 'what became of it').choices(SETTLED_AS).makeOptionMandatory())
    .option('--value <json>', 'the answer, with --as done', jsonFlag)
    .option('--reason <text>', 'how you know; kept with the record')
    .action((mapId: string, flags: ResolveFlags, command: Command) => {
      const hasValue = flags.value !== undefined;
      if (hasValue !== (flags.as === 'done')) {
        command.error(
          hasValue
            ? `error: --value goes with --as done, not with ${flags.as}`
            : 'error: --as done needs --value <json>',
        );
      }
      return runVerb(context, flags, () => resolve(context.shell, mapId, flags));
    });
}

async function resolve(shell: Shell, mapId: string, flags: ResolveFlags): Promise<number> {
  return withServer(connectionSettings(flags, shell.env), async (server) => {
    await findMap(server, mapId);
    const row = await readRow(server, await findRow(server, mapId, flags.row));
    const story = await storyOf(server, mapId, row, flags.column);
    const call = unknownCallOf(story, flags, shell.now());
    refuseSettled(call, call.settlement);
    const { column } = call;
    const { as, value, reason } = flags;
    const said = { as, ...(value === undefined ? {} : { value }), ...(reason === undefined ? {} : { reason }) };
    const by = `${userInfo().username}@${hostname()}`;
    await record(server, call, { mapId, column, call: callToSettle(row, call), by, ...said });
    const settlement = await untilChecked(server, shell, call);
    tellSettled(shell, flags, { mapId, row: story.identity, call }, settlement);
    return EXIT.ok;
  });
}

interface About {
  mapId: string;
  row: string;
  call: UnknownCall;
}

function tellSettled(
  shell: Shell,
  { as, json }: ResolveFlags,
  { mapId, row, call }: About,
  settlement: Settlement | 'pending',
): void {
  const { column, tool, openBilling } = call;
  const { billingRequestId } = openBilling;
  if (json) {
    const { end: _, ...said } = settlement === 'pending' ? { as, end: null } : settlement;
    const state = settlement === 'pending' ? 'pending' : 'settled';
    printJson(shell, {
      mapId,
      row,
      column,
      tool,
      billingRequestId,
      workflowId: settledCallId(billingRequestId),
      state,
      ...said,
    });
    return;
  }
  const what = `${column} (${tool}) of row ${row}`;
  if (settlement === 'pending') {
    print(
      shell,
      `${what} is recorded as ${as}, and counts once a worker has checked it; none has answered yet: sluice doctor`,
    );
    return;
  }
  print(shell, `${what} is settled ${settlementText(settlement)}`, `go on with: sluice redrive ${mapId}`);
}
