// Outcomes of rows that have no result of their own: never started, or ended by hand.
import type { FailureCode } from './failures';
import type { AdmittedRow } from './plan';
import type { RowError, RowOutcome, RowResult, RowStatus } from './results';

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

/** A row that was not started because an account that rows need is given up. */
export const notRunAfter = (row: AdmittedRow, { code, message }: RowError): RowOutcome =>
  outcomeWithoutResult(row, 'not_run', 'NOT_RUN', `not started, since an earlier row ended with ${code}: ${message}`);

const GIVEN_UP: FailureCode[] = ['NEEDS_PERSON', 'PROVIDER_EXHAUSTED'];

/** The error of a row that needed an account that is given up; undefined = it did not, or got along without. */
export function givenUpAccount(result: RowResult): RowError | undefined {
  const error = 'error' in result ? result.error : undefined;
  return error && GIVEN_UP.includes(error.code) ? error : undefined;
}
