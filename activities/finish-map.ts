// The end of a map: outcomes in source order into the table, the failures file and the summary, each under its name in one step.
import type { FinishInput, FinishResult, PageWithoutResult } from '../contracts/activity-io';
import { addCountTable, countOutcome, noCountTable, noRowCounts, sumRowCounts } from '../contracts/counting';
import type { Json } from '../contracts/outcomes';
import type { AdmittedRow } from '../contracts/plan';
import type { MapSummary, RowOutcome, RowStatus } from '../contracts/results';
import type { MapSpec } from '../contracts/schemas/map-spec';
import type { ReachCrashPoint } from './crash-points';
import { failureLine } from './failure-line';
import { outputPaths, plannedTables } from './output-paths';
import { resultColumns } from './plan-map';
import type { TableRow, TableWriter } from './sinks/sink';
import { openTable } from './sinks/table-formats';
import { loadCells, readSettledRows } from './store/page-outcomes';
import { type Manifest, type RunStore, RunStoreError } from './store/run-store';
import { withHeartbeat } from './with-heartbeat';

export interface FinishDeps {
  store: RunStore;
  dataRoot: string;
  reach: ReachCrashPoint;
}

interface SettledOutcome {
  row: AdmittedRow;
  outcome: RowOutcome;
}

/** Status of the rows of a page that have no outcome: null when each of them must have one. */
function statusWithoutOutcome(page: number, openedPages: number, withoutResult: PageWithoutResult[]): RowStatus | null {
  if (page >= openedPages) return 'not_run';
  return withoutResult.find((one) => one.page === page)?.status ?? null;
}

function outcomeInstead(row: AdmittedRow, status: RowStatus): RowOutcome {
  const { identity, ordinal } = row;
  const error =
    status === 'not_run'
      ? ({ code: 'NOT_RUN', message: 'the map ended before this row was started', repairable: true } as const)
      : ({
          code: 'ROW_TERMINATED',
          message: 'the page of this row was terminated; its calls may have been sent',
          repairable: true,
        } as const);
  return { identity, ordinal, status, cells: {}, skipped: [], ledger: [], error };
}

/** Every admitted row with its outcome, in source order. A row without one on a page that ended is a fault, never skipped. */
async function* settledRows(store: RunStore, manifest: Manifest, input: FinishInput): AsyncGenerator<SettledOutcome> {
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

/** Columns that cells have: those of the spec, or for a TypeScript map all that its rows returned, as they appear. */
async function cellColumns(store: RunStore, manifest: Manifest, input: FinishInput, spec: MapSpec): Promise<string[]> {
  const declared = resultColumns(spec);
  if (declared) return declared;
  const found = new Set<string>();
  for await (const { outcome } of settledRows(store, manifest, input)) {
    for (const column of Object.keys(outcome.cells)) if (!manifest.columns.includes(column)) found.add(column);
  }
  return [...found];
}

const errorText = ({ error }: RowOutcome): string | null => (error ? `${error.code}: ${error.message}` : null);

const isFinished = (status: RowStatus): boolean => status === 'done' || status === 'missed' || status === 'skipped';

/** The sums that every summary keeps; one that does not hold means a lost or doubled row, and nothing is written. */
export function assertSums(
  { cardinality, rows, mapId }: Pick<MapSummary, 'cardinality' | 'rows' | 'mapId'>,
  rowsSetting: 'all' | 'done',
): void {
  const { sourceRows, rejectedRows, uniqueInputRows, duplicateOccurrences, outputRows } = cardinality;
  const finished = rows.done + rows.missed + rows.skipped;
  const checks: [string, number, number][] = [
    [
      'sourceRows = rejectedRows + uniqueInputRows + duplicateOccurrences',
      sourceRows,
      rejectedRows + uniqueInputRows + duplicateOccurrences,
    ],
    ['uniqueInputRows = sum of the row statuses', uniqueInputRows, sumRowCounts(rows)],
    ['outputRows = rows written', outputRows ?? -1, rowsSetting === 'all' ? uniqueInputRows : finished],
  ];
  for (const [rule, left, right] of checks) {
    if (left !== right)
      throw new RunStoreError('RESULTS_INCONSISTENT', `map ${mapId}: ${rule} does not hold, ${left} is not ${right}`);
  }
}

/** The `finishMap` activity. Safe to repeat at any step: the same outcomes give the same bytes. */
export function createFinishMap({ store, dataRoot, reach }: FinishDeps): (input: FinishInput) => Promise<FinishResult> {
  async function finish(input: FinishInput): Promise<FinishResult> {
    const { mapId, runId } = input;
    const manifest = await store.readManifest(mapId);
    if (!manifest) throw new RunStoreError('STORE_FAILED', `map ${mapId} has no manifest in the run store`);
    const spec = manifest.spec as unknown as MapSpec;
    const planned = plannedTables(spec, dataRoot);
    const output = outputPaths(planned);
    const cells = await cellColumns(store, manifest, input, spec);
    const columns = [...(spec.output.columns ?? [...manifest.columns, ...cells]), '_status', '_error'];
    const { overwrite } = spec.output;
    const options = { formulaSafe: spec.output.formulaSafe ?? false, excel: spec.output.excel ?? false };
    const open: TableWriter[] = [];
    try {
      for (const { format, path } of planned)
        open.push(await openTable({ format, path, columns, owner: runId, overwrite, options }));
      const failures = await openTable({
        format: 'lines',
        path: output.failures,
        columns: [],
        owner: runId,
        overwrite,
      });
      open.push(failures);
      const rows = noRowCounts();
      const counts = noCountTable();
      let outputRows = 0;
      for await (const { row, outcome } of settledRows(store, manifest, input)) {
        rows[outcome.status] += 1;
        addCountTable(counts, countOutcome(outcome));
        if (!isFinished(outcome.status))
          await failures.write(failureLine(row, outcome, spec.dataset.key) as unknown as TableRow);
        if (spec.output.rows === 'done' && !isFinished(outcome.status)) continue;
        outputRows += 1;
        const all: TableRow = {
          ...row.input,
          ...(await loadCells(store, mapId, outcome.cells)),
          _status: outcome.status,
          _error: errorText(outcome),
        };
        const wanted = Object.fromEntries(
          columns.map((column) => [column, Object.hasOwn(all, column) ? (all[column] as Json) : null]),
        );
        for (const table of open.slice(0, planned.length)) await table.write(wanted);
      }
      const { blank: _blank, ...fixed } = manifest.cardinality;
      const cardinality = { ...fixed, outputRows };
      const { status, startedAtMs, endedAtMs, error } = input;
      const warnings = [...manifest.warnings, ...input.warnings];
      const result: FinishResult = { cardinality, rows, counts, output, warnings };
      const summary: MapSummary = {
        mapId,
        runId,
        name: spec.name,
        status,
        startedAtMs,
        endedAtMs,
        ...result,
      };
      if (error) summary.error = error;
      assertSums(summary, spec.output.rows);
      const summaryFile = await openTable({
        format: 'json',
        path: output.summary,
        columns: [],
        owner: runId,
        overwrite,
      });
      open.push(summaryFile);
      await summaryFile.write(summary as unknown as TableRow);
      for (const file of open) await file.finish();
      reach('finish.after_rename');
      return result;
    } catch (error) {
      for (const file of open) await file.abort();
      throw error;
    }
  }
  return (input) => withHeartbeat(() => finish(input));
}
