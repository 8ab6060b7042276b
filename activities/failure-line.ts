// One line of the failures file: enough to find the row, to see what went wrong, and to settle what is unknown.
import type { AdmittedRow } from '../contracts/plan';
import type { RowOutcome } from '../contracts/results';

/** `key`: the values of the key columns, null without a key. `retryAt`: ISO 8601, when the provider gave an instant. */
export function failureLine(
  row: AdmittedRow,
  { status, error, ledger }: RowOutcome,
  key: string | string[] | undefined,
) {
  const names = key === undefined ? [] : [key].flat();
  const calls = ledger.filter(
    (entry) => entry.column === error?.column && (entry.billing ?? entry.sharedCall) !== undefined,
  );
  // An earlier leg of a waterfall may have ended badly too: the one that gave the row its status is told.
  const call = calls.find((entry) => entry.status === status) ?? calls[0];
  return {
    line: row.line,
    ordinal: row.ordinal,
    key: names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, row.input[name] ?? null])),
    identity: row.identity,
    status,
    column: error?.column ?? null,
    code: error?.code ?? null,
    message: error?.message ?? null,
    retryAt: error?.retryAtMs === undefined ? null : new Date(error.retryAtMs).toISOString(),
    // A call that may have been charged is not run again by itself: see `sluice redrive --unknown`.
    repairable: status !== 'unknown' && (error?.repairable ?? false),
    tool: call?.tool ?? null,
    billing: call?.billing ?? null,
    ...(call?.job ? { job: call.job } : {}),
    ...(call?.sharedCall === undefined ? {} : { sharedCall: call.sharedCall }),
  };
}
