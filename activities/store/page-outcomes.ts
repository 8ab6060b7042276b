// The outcomes of one page in source order, read back from its parts: what a table is made of.
import type { Json } from '../../contracts/outcomes';
import type { AdmittedRow } from '../../contracts/plan';
import type { RowOutcome, RowResult } from '../../contracts/results';
import { referenceOf } from '../../contracts/stored-value';
import { type RunStore, RunStoreError } from './run-store';

/** An admitted row and its outcome; null when the page wrote none for it. */
export interface SettledRow {
  row: AdmittedRow;
  outcome: RowOutcome | null;
}

/** Rows of one page in the order of the page, which is the source's, whatever order they finished in. An outcome of an unknown row, or a second different one, is RESULTS_INCONSISTENT. */
export async function readSettledRows(store: RunStore, mapId: string, page: number): Promise<SettledRow[]> {
  const rows = await store.readPage(mapId, page);
  const results = await readResults(store, mapId, page);
  const settled: SettledRow[] = [];
  for (const row of rows) {
    const result = results.get(row.identity);
    settled.push({ row, outcome: result === undefined ? null : await loadOutcome(store, mapId, result) });
    results.delete(row.identity);
  }
  const [stranger] = results.keys();
  if (stranger !== undefined) {
    throw new RunStoreError(
      'RESULTS_INCONSISTENT',
      `page ${page} of map ${mapId} has an outcome of ${stranger}, which was not admitted`,
    );
  }
  return settled;
}

async function readResults(store: RunStore, mapId: string, page: number): Promise<Map<string, RowResult>> {
  const results = new Map<string, RowResult>();
  for (const { part } of await store.listParts(mapId, page)) {
    for (const result of await store.readPart(mapId, page, part)) {
      const earlier = results.get(result.identity);
      if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(result)) {
        throw new RunStoreError(
          'RESULTS_INCONSISTENT',
          `row ${result.identity} of map ${mapId} has two different outcomes`,
        );
      }
      results.set(result.identity, result);
    }
  }
  return results;
}

async function loadOutcome(store: RunStore, mapId: string, result: RowResult): Promise<RowOutcome> {
  if (!('stored' in result)) return result;
  return JSON.parse(await store.getValue(mapId, result.stored.$stored.ref)) as RowOutcome;
}

/** Cells with every stored value read back from the run store. */
export async function loadCells(
  store: RunStore,
  mapId: string,
  outcome: Pick<RowOutcome, 'cells' | 'references'>,
): Promise<{ [column: string]: Json }> {
  const loaded: { [column: string]: Json } = Object.create(null);
  for (const [column, cell] of Object.entries(outcome.cells)) {
    const reference = referenceOf(outcome, column, cell);
    loaded[column] = reference
      ? (JSON.parse(await store.getValue(reference.store ?? mapId, reference.ref)) as Json)
      : (cell as Json);
  }
  return loaded;
}
