// Which unknown call of a row a person means, and what the receipt of its answer needs to know of it. Pure.
import type { CallIdentity, DispatchInput } from '../../contracts/outcomes';
import type { CallToSettle } from '../../contracts/settlement';
import { CommandError } from '../command-error';
import { counted } from '../format';
import type { RowReading } from './read-row';
import { billingText } from './render-story';
import type { DispatchStep } from './row-events';
import type { CallStory, RowStory } from './row-story';

/** An unknown call, which always has the request that may have been charged. */
export type UnknownCall = CallStory & { openBilling: NonNullable<CallStory['openBilling']> };

const isUnknown = (call: CallStory): call is UnknownCall => call.state === 'unknown' && call.openBilling !== null;

function refused(message: string): CommandError {
  return new CommandError('RESOLVE_REFUSED', message);
}

/** The one call that is meant. Throws RESOLVE_REFUSED when none is unknown, or several are. */
export function unknownCallOf(
  story: RowStory,
  { column, billingId }: { column?: string; billingId?: string },
  nowMs: number,
): UnknownCall {
  const { mapId, identity, status, calls } = story;
  const what = column === undefined ? `row ${identity} of ${mapId}` : `column ${column} of row ${identity} of ${mapId}`;
  const unknown = calls
    .filter(isUnknown)
    .filter(({ openBilling }) => billingId === undefined || openBilling.billingRequestId === billingId);
  const [call, ...others] = unknown;
  if (!call) {
    const states = calls.map(({ column: name, state }) => `${name} ${state}`).join(', ') || 'no call';
    const wanted = billingId === undefined ? '' : ` with the billing id ${billingId}`;
    throw refused(
      `${what} has no unknown call${wanted}: the row is ${status} (${states}); see sluice unknown list ${mapId}`,
    );
  }
  if (others.length === 0) return call;
  const ids = unknown.map(({ column: name, openBilling }) => `${name}: ${billingText(openBilling, nowMs)}`);
  throw refused(
    `${what} has ${counted(unknown.length, 'unknown call')}; name one with --column or --billing-id: ${ids.join('; ')}`,
  );
}

/** The dispatch that ended without anybody knowing: it tells its request, or its worker was lost with the mark of it. */
function isOfBilling({ end }: DispatchStep, billingRequestId: string): boolean {
  const billing =
    end?.kind === 'lost' ? end.mark : end?.kind === 'outcome' && 'billing' in end.outcome ? end.outcome.billing : null;
  return billing?.billingRequestId === billingRequestId;
}

function ownIdentity({ events }: RowReading, { openBilling }: UnknownCall): CallIdentity | null {
  const input = events.dispatches.findLast((one) => isOfBilling(one, openBilling.billingRequestId))?.input;
  return input ? identityOf(input) : null;
}

const identityOf = ({
  tool,
  toolVersion,
  account,
  input,
  admittedByRunId,
  rowIdentity,
  occurrence,
}: DispatchInput): CallIdentity => ({ tool, toolVersion, account, input, admittedByRunId, rowIdentity, occurrence });

function sharedIdentity({ events, shared }: RowReading, callId: string): CallIdentity | null {
  const join = [...events.joins.values()].find((one) => one.callId === callId);
  const keys = shared.get(callId)?.keys;
  if (!join || !keys) return null;
  const { tool, input } = join.input;
  return {
    ...{ tool: tool.tool, toolVersion: tool.version, account: tool.account, input, shared: keys },
    ...{ admittedByRunId: events.plan.runId, rowIdentity: events.row.identity, occurrence: 0 },
  };
}

/** What is to be settled. Throws RESOLVE_REFUSED when the history that tells is gone. */
export function callToSettle(row: RowReading, call: UnknownCall): CallToSettle {
  const identity = call.shared ? sharedIdentity(row, call.shared.callId) : ownIdentity(row, call);
  if (identity) return { ...identity, billing: call.openBilling };
  const where = call.shared ? call.shared.callId : `column ${call.column}`;
  throw refused(
    `the history of ${where} is gone, so nobody can tell what was asked; a redrive with --unknown asks again`,
  );
}
