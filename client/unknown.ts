// `sluice unknown`: lists calls whose outcome nobody knows, with what a person needs to ask the provider about them, and settles them.
import { Command } from 'commander';
import { pageWorkflowId, rowWorkflowId } from '../contracts/ids';
import { QUERY_CONCURRENCY, SHOWN_UNKNOWN } from '../contracts/limits';
import type { RowResult } from '../contracts/results';
import { connectionSettings } from './connection-settings';
import { EXIT } from './exit-codes';
import { firstValue, historyOf } from './explain/history';
import { readRow, storyOf } from './explain/read-row';
import { billingText, settlementText } from './explain/render-story';
import { type CallStory, rowNames } from './explain/row-story';
import { findMap } from './find-map';
import { counted } from './format';
import { inTurns } from './in-turns';
import { resolveVerb } from './resolve-unknown';
import { type Server, withServer } from './server';
import { print, printJson } from './shell';
import { type CommonFlags, newVerb, runVerb, type VerbContext } from './verb';

/** One call that may have been charged. `row`: the identity that `explain --row` takes. */
interface ListedCall extends Pick<CallStory, 'column' | 'tool' | 'account' | 'error' | 'openBilling' | 'settlement'> {
  row: string;
  /** The values of its key, or its line. */
  label: string;
  line: number;
}

export function unknownVerb(context: VerbContext): Command {
  const { shell } = context;
  const list = newVerb(
    'list <map>',
    'calls of a map whose outcome nobody knows',
    'For each call: when it was sent, its billing id, its idempotency key and the id that the provider gave it, as far as there are any. Reads history only.',
    ['sluice unknown list companies-june', 'sluice unknown list companies-june --json'],
  ).action((mapId: string, flags: CommonFlags) =>
    runVerb(context, flags, () =>
      withServer(connectionSettings(flags, shell.env), async (server) => {
        await findMap(server, mapId);
        const { calls, more } = await unknownCalls(server, mapId);
        if (flags.json) printJson(shell, { mapId, calls, more });
        else print(shell, ...unknownLines(mapId, calls, more, shell.now()));
        return EXIT.ok;
      }),
    ),
  );
  return new Command('unknown')
    .summary('look at calls whose outcome nobody knows, and settle them')
    .addCommand(list)
    .addCommand(resolveVerb(context));
}

/** Identities of the rows of a page that ended as unknown; null for a page that was not opened. */
async function unknownRows(server: Server, mapId: string, page: number): Promise<string[] | null> {
  const events = await historyOf(server, pageWorkflowId(mapId, page));
  if (!events) return null;
  const results = await Promise.all(
    events.flatMap(({ childWorkflowExecutionCompletedEventAttributes: completed }) =>
      completed ? [firstValue<RowResult>(server, completed.result)] : [],
    ),
  );
  return results.flatMap((result) => (result?.status === 'unknown' ? [result.identity] : []));
}

const storyOfRow = async (server: Server, mapId: string, row: string) =>
  storyOf(server, mapId, await readRow(server, rowWorkflowId(mapId, row)));

/** The first 500; `more`: how many rows beyond them. */
async function unknownCalls(server: Server, mapId: string): Promise<{ calls: ListedCall[]; more: number }> {
  const rows: string[] = [];
  for (let page = 0; ; page++) {
    const found = await unknownRows(server, mapId, page);
    if (!found) break;
    rows.push(...found);
  }
  const shown = rows.slice(0, SHOWN_UNKNOWN);
  const stories = await inTurns(shown, QUERY_CONCURRENCY, (row) => storyOfRow(server, mapId, row));
  const calls = stories.flatMap(({ identity, label, line, calls: all }) =>
    all.flatMap(({ state, column, tool, account, error, openBilling, settlement }) =>
      state === 'unknown'
        ? [{ row: identity, label, line, column, tool, account, error, openBilling, settlement }]
        : [],
    ),
  );
  return { calls: calls.toSorted((one, other) => one.line - other.line), more: rows.length - shown.length };
}

function unknownLines(mapId: string, calls: readonly ListedCall[], more: number, nowMs: number): string[] {
  if (calls.length === 0) return [`${mapId} has no call whose outcome is unknown`];
  return [
    ...calls.flatMap(({ row, label, line, column, tool, error, openBilling, settlement }) => [
      [...rowNames({ label, line }), row, column, tool, error?.code ?? ''].join('  '),
      ...(openBilling ? [`  ${billingText(openBilling, nowMs)}`] : []),
      ...(settlement ? [`  settled ${settlementText(settlement)}`] : []),
    ]),
    ...(more > 0 ? [`and ${counted(more, 'row')} more: the failures file has them all`] : []),
    calls.every(({ settlement }) => settlement) && more === 0
      ? `all of them are settled: sluice redrive ${mapId}`
      : `ask the provider whether it charged them, then: sluice unknown resolve ${mapId} --row <row> --as done|retry|failed; none is ever sent again by itself`,
  ];
}
