// What people said of the unknown calls of a row in an earlier map, as the calls of the next map take it over.
import type { EarlierCall } from '../contracts/redrive';
import type { LedgerEntry, RowOutcome } from '../contracts/results';
import type { Settlement } from '../contracts/settlement';
import type { SettlementPort } from './shared-call-port';

/** By billing request; only those that were settled. */
export type Settlements = ReadonlyMap<string, Settlement>;

const unknownEntries = ({ ledger }: RowOutcome): LedgerEntry[] => ledger.filter(({ status }) => status === 'unknown');

/** Asks for each unknown call of the row whether a person has settled it. */
export async function settlementsOf(outcome: RowOutcome, port: SettlementPort): Promise<Settlements> {
  const found = new Map<string, Settlement>();
  for (const { billing } of unknownEntries(outcome)) {
    const settled = billing && (await port.settled(billing.billingRequestId));
    if (settled) found.set(billing.billingRequestId, settled.settlement);
  }
  return found;
}

const settlementOf = ({ status, billing }: LedgerEntry, settlements: Settlements): Settlement | undefined =>
  status === 'unknown' && billing ? settlements.get(billing.billingRequestId) : undefined;

/** True when nothing of the row is left that nobody knows; a row that was ended by hand tells of no call. */
export function isSettled(outcome: RowOutcome, settlements: Settlements): boolean {
  const unknown = unknownEntries(outcome);
  return unknown.length > 0 && unknown.every((entry) => settlementOf(entry, settlements) !== undefined);
}

/** `retry` asks under the next billing request: what was asked under this one is over. */
function boughtAnew({ billingOpen: _, billingNumber = 0, ...entry }: LedgerEntry): EarlierCall {
  return { entry: { ...entry, billingNumber: billingNumber + 1 } };
}

/** The call as the next map takes it over; as it was when nobody has settled it. */
export function asSettled(call: EarlierCall, settlements: Settlements): EarlierCall {
  const { entry } = call;
  const settlement = settlementOf(entry, settlements);
  if (!settlement) return call;
  const { end } = settlement;
  if (!end) return boughtAnew(entry);
  const { code: _, message: __, repairable: ___, ...base } = entry;
  if (end.kind === 'completed') return { entry: { ...base, status: 'done', receipt: end.receipt }, value: end.value };
  if (end.kind !== 'rejected' || !end.resolved) return call;
  const { code, message, resolved } = end;
  return { entry: { ...base, status: 'failed', code, message, repairable: false, resolved } };
}
