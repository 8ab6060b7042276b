// Outcomes of rows that have no result of their own: never started, or ended by hand.
import type { FailureCode } from './failures';
import type { AdmittedRow } from './plan';
import type { RowOutcome, RowStatus } from './results';

export function outcomeWithoutResult(
  row: AdmittedRow,
  status: RowStatus,
  code: FailureCode,
  message: string,
): RowOutcome {
  const { identity, ordinal } = row;
  return { identity, ordinal, status, cells: {}, skipped: [], ledger: [], error: { code, message, repairable: true } };
}

export const notRun = (row: AdmittedRow): RowOutcome =>
  outcomeWithoutResult(row, 'not_run', 'NOT_RUN', 'the map ended before this row was started');
