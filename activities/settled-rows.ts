// Every admitted row of a map with its outcome, in source order, once its pages have ended.
import type { FinishInput, PageWithoutResult } from '../contracts/activity-io';
import type { AdmittedRow } from '../contracts/plan';
import type { RowOutcome, RowStatus } from '../contracts/results';
import { notRun, outcomeWithoutResult } from '../contracts/row-without-result';
import { readSettledRows } from './store/page-outcomes';
import { type Manifest, type RunStore, RunStoreError } from './store/run-store';

export interface SettledOutcome {
  row: AdmittedRow;
  outcome: RowOutcome;
}

/** Status of the rows of a page that have no outcome: null when each of them must have one. */
function statusWithoutOutcome(page: number, openedPages: number, withoutResult: PageWithoutResult[]): RowStatus | null {
  if (page >= openedPages) return 'not_run';
  return withoutResult.find((one) => one.page === page)?.status ?? null;
}

const TERMINATED = 'the page of this row was terminated; its calls may have been sent';

const outcomeInstead = (row: AdmittedRow, status: RowStatus): RowOutcome =>
  status === 'not_run' ? notRun(row) : outcomeWithoutResult(row, status, 'ROW_TERMINATED', TERMINATED);

/** One after the other, page by page. A row without an outcome on a page that ended is a fault, never skipped. */
export async function* settledRows(
  store: RunStore,
  manifest: Manifest,
  input: FinishInput,
): AsyncGenerator<SettledOutcome> {
  for (let page = 0; page < manifest.pageRows.length; page++) {
    const status = statusWithoutOutcome(page, input.openedPages, input.withoutResult);
    for (const { row, outcome } of await readSettledRows(store, input.mapId, page)) {
      if (outcome) yield { row, outcome };
      else if (status) yield { row, outcome: outcomeInstead(row, status) };
      else
        throw new RunStoreError(
          'RESULTS_INCONSISTENT',
          `row ${row.identity} (line ${row.line}) of page ${page} has no outcome`,
        );
    }
  }
}
