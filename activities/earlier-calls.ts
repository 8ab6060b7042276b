// What the calls of a row in an earlier map are worth to the next one: pure.
import type { EarlierCall } from '../contracts/redrive';
import type { LedgerEntry, RowOutcome } from '../contracts/results';
import { reusedReceipt } from '../contracts/shared-call';

/** A value is kept only where it is sure which call it came from: the last answer of a column that was asked twice hides the first. */
function earlierCall(entry: LedgerEntry, { ledger, cells }: RowOutcome): EarlierCall[] {
  if (entry.status !== 'done') return [{ entry }];
  const answers = ledger.filter(({ column, status }) => column === entry.column && status === 'done');
  const value = Object.hasOwn(cells, entry.column) ? cells[entry.column] : undefined;
  return answers.length === 1 && value !== undefined ? [{ entry, value }] : [];
}

const isSameCall = (one: LedgerEntry, other: LedgerEntry): boolean =>
  one.column === other.column &&
  one.tool === other.tool &&
  one.account === other.account &&
  one.receipt?.inputDigest === other.receipt?.inputDigest;

/** Calls that the outcome tells of, values as its cells have them. */
export const callsOf = (outcome: RowOutcome): EarlierCall[] =>
  outcome.ledger.flatMap((entry) => earlierCall(entry, outcome));

/** Of the calls that the row was given itself, those that it had not come to again. */
export const callsLeft = ({ ledger }: RowOutcome, given: readonly EarlierCall[]): EarlierCall[] =>
  given.filter(({ entry }) => !ledger.some((other) => isSameCall(entry, other)));

/** The outcome as the map counts it that only takes it over: nothing of it was bought or held here. */
export const carriedOutcome = (outcome: RowOutcome): RowOutcome => ({
  ...outcome,
  ledger: outcome.ledger.map(({ charged: _charged, ...entry }) => ({
    ...entry,
    holds: 0,
    ...(entry.receipt ? { receipt: reusedReceipt(entry.receipt) } : {}),
  })),
});
