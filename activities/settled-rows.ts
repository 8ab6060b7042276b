// Every admitted row of a map in source order, with its outcome once it has one; a redrive fills the gaps of an earlier map.
import type { FinishInput, PageWithoutResult } from '../contracts/activity-io';
import type { AdmittedRow } from '../contracts/plan';
import type { RowOutcome, RowStatus } from '../contracts/results';
import { notRun, outcomeWithoutResult } from '../contracts/row-without-result';
import { readSettledRows } from './store/page-outcomes';
import { type Manifest, type RunStore, RunStoreError } from './store/run-store';

export interface SettledOutcome {
  row: AdmittedRow;
  outcome: RowOutcome;
  /** Map in which the row came to be what it is, and whose store has its large values. */
  mapId: string;
}

/** A row as the store has it now. */
export interface PresentRow extends Omit<SettledOutcome, 'outcome'> {
  /** Null as long as the map has written none. */
  outcome: RowOutcome | null;
  /** Of a row that a redrive runs again: cells that the earlier map left, shown until there are others. */
  earlierCells?: Pick<RowOutcome, 'cells' | 'references'>;
}

const isSettled = (row: PresentRow): row is SettledOutcome => row.outcome !== null;

/** A row that is being run again. */
const notYetAgain = ({ outcome, mapId }: SettledOutcome, { row }: PresentRow): PresentRow => ({
  row,
  outcome: null,
  earlierCells: outcome,
  mapId,
});

/** Status of the rows of a page that have no outcome: null when each of them must have one. */
function statusWithoutOutcome(page: number, openedPages: number, withoutResult: PageWithoutResult[]): RowStatus | null {
  if (page >= openedPages) return 'not_run';
  return withoutResult.find((one) => one.page === page)?.status ?? null;
}

const TERMINATED = 'the page of this row was terminated; its calls may have been sent';

const outcomeInstead = (row: AdmittedRow, status: RowStatus): RowOutcome =>
  status === 'not_run' ? notRun(row) : outcomeWithoutResult(row, status, 'ROW_TERMINATED', TERMINATED);

/** Rows of the map's own pages. Once it has ended, a row without an outcome on a page that ended is a fault, never skipped. */
async function* ownRows(store: RunStore, manifest: Manifest, end: FinishInput | null): AsyncGenerator<PresentRow> {
  const { mapId } = manifest;
  for (let page = 0; page < manifest.pageRows.length; page++) {
    const status = end && statusWithoutOutcome(page, end.openedPages, end.withoutResult);
    for (const { row, outcome } of await readSettledRows(store, mapId, page)) {
      if (outcome || !end) yield { row, outcome, mapId };
      else if (status) yield { row, outcome: outcomeInstead(row, status), mapId };
      else
        throw new RunStoreError(
          'RESULTS_INCONSISTENT',
          `row ${row.identity} (line ${row.line}) of page ${page} has no outcome`,
        );
    }
  }
}

/** The row after it was run again. One that did not get so far keeps what the earlier map had bought for it. */
function runAgain(earlier: SettledOutcome, again: SettledOutcome): SettledOutcome {
  if (again.outcome.ledger.length > 0 || Object.keys(again.outcome.cells).length > 0) return again;
  const { status, error } = again.outcome;
  if (status !== 'not_run' && status !== 'cancelled') return again;
  const { error: _, ...kept } = earlier.outcome;
  return { row: again.row, mapId: earlier.mapId, outcome: { ...kept, status, ...(error ? { error } : {}) } };
}

/** An ended map as the run store has it. */
export interface EndedMap {
  manifest: Manifest;
  end: FinishInput;
}

/** Null while the map has no end in the store. */
export async function readEndedMap(store: RunStore, mapId: string): Promise<EndedMap | null> {
  const manifest = await store.readManifest(mapId);
  const end = await store.readEnd(mapId);
  return manifest && end && { manifest, end };
}

/** One after the other in source order: all of them have an outcome, since the map has ended. */
export async function* settledRows(
  store: RunStore,
  manifest: Manifest,
  end: FinishInput,
): AsyncGenerator<SettledOutcome> {
  for await (const row of presentRows(store, manifest, end)) if (isSettled(row)) yield row;
}

/** The same while the map runs, `end` null. Both sides of a redrive are in source order, so they are read side by side. */
export async function* presentRows(
  store: RunStore,
  manifest: Manifest,
  end: FinishInput | null,
): AsyncGenerator<PresentRow> {
  const own = ownRows(store, manifest, end);
  if (!manifest.redrive) return yield* own;
  const earlier = await readEndedMap(store, manifest.redrive.map);
  if (!earlier) {
    const message = `map ${manifest.redrive.map}, which ${manifest.mapId} goes on with, has no end in ${store.place}`;
    throw new RunStoreError('STORE_FAILED', message);
  }
  let next = await own.next();
  for await (const row of settledRows(store, earlier.manifest, earlier.end)) {
    if (next.done || next.value.row.identity !== row.row.identity) yield row;
    else {
      yield isSettled(next.value) ? runAgain(row, next.value) : notYetAgain(row, next.value);
      next = await own.next();
    }
  }
  if (next.done) return;
  throw new RunStoreError(
    'RESULTS_INCONSISTENT',
    `row ${next.value.row.identity} of map ${manifest.mapId} is no row of ${manifest.redrive.map}`,
  );
}
