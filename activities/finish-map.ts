// The end of a map: outcomes in source order into the table, the failures file and the summary, each under its name in one step.
import { ApplicationFailure } from '@temporalio/activity';
import type { FinishInput, FinishResult } from '../contracts/activity-io';
import { addCountTable, countFrom, countOutcome, noCountTable, noRowCounts } from '../contracts/counting';
import type { Json } from '../contracts/outcomes';
import type { MapSummary, RowCounts, RowOutcome, RowStatus } from '../contracts/results';
import type { MapSpec } from '../contracts/schemas/map-spec';
import { assertSums } from './assert-sums';
import { cellColumns, namedCells } from './cell-columns';
import type { ReachCrashPoint } from './crash-points';
import { carriedOutcome } from './earlier-calls';
import { failureLine } from './failure-line';
import { keepEarlier } from './keep-earlier';
import { openMapTable } from './map-tables';
import { outputPaths, plannedTables } from './output-paths';
import { settledRows } from './settled-rows';
import type { TableRow, TableWriter } from './sinks/sink';
import { tableColumns } from './sinks/table-columns';
import { openTable } from './sinks/table-formats';
import { loadCells } from './store/page-outcomes';
import { type Manifest, type RunStore, RunStoreError } from './store/run-store';
import { withHeartbeat } from './with-heartbeat';

export interface FinishDeps {
  store: RunStore;
  dataRoot: string;
  reach: ReachCrashPoint;
}

/** Columns that identify a row, as the spec names them. */
const keyOf = ({ dataset }: MapSpec): string | string[] | undefined => dataset.key ?? dataset.postgres?.key;

const errorText = ({ error }: RowOutcome): string | null => (error ? `${error.code}: ${error.message}` : null);

const isFinished = (status: RowStatus): boolean => status === 'done' || status === 'missed' || status === 'skipped';

/** A map that was cut short, or ran only the first rows, may replace a table that has more: that one is kept under another name. */
async function earlierTables(
  manifest: Manifest,
  { limits }: MapSpec,
  { mapId, status }: FinishInput,
): Promise<string[]> {
  const isWhole = status === 'completed' && limits.rows === undefined;
  if (isWhole || manifest.redrive) return [];
  const kept = await keepEarlier(manifest.replaces ?? [], mapId);
  return kept.map((path) => `W_EARLIER_TABLE_KEPT: this table is not complete; the one that it replaces is ${path}`);
}

/** Outcomes that contradict each other no time cures: the map fails, and its parts stay. Everything else is tried again. */
function endForGood(error: unknown): never {
  if (!(error instanceof RunStoreError) || error.code !== 'RESULTS_INCONSISTENT') throw error;
  throw ApplicationFailure.nonRetryable(error.message, error.code);
}

/** The `finishMap` activity. Safe to repeat at any step: the same outcomes give the same bytes. */
export function createFinishMap({ store, dataRoot, reach }: FinishDeps): (input: FinishInput) => Promise<FinishResult> {
  async function finish(input: FinishInput): Promise<FinishResult> {
    const { mapId, runId } = input;
    const manifest = await store.readManifest(mapId);
    if (!manifest) throw new RunStoreError('STORE_FAILED', `map ${mapId} has no manifest in ${store.place}`);
    await store.writeEnd(mapId, input);
    const spec = manifest.spec as unknown as MapSpec;
    const planned = plannedTables(spec, dataRoot);
    const output = outputPaths(planned, { dataRoot, mapId });
    const cells = await cellColumns(store, manifest, input, spec);
    const columns = tableColumns(spec.output.columns ?? [...manifest.columns, ...cells.columns], []);
    const { overwrite } = spec.output;
    const tables = { spec, mapId, owner: runId, columns, sourceColumns: manifest.columns };
    const open: TableWriter[] = [];
    try {
      for (const one of planned) open.push(await openMapTable(one, tables));
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
      const from: { [mapId: string]: RowCounts } = {};
      for await (const { row, outcome, mapId: origin } of settledRows(store, manifest, input)) {
        rows[outcome.status] += 1;
        countFrom(from, origin, outcome.status);
        addCountTable(counts, countOutcome(origin === mapId ? outcome : carriedOutcome(outcome)));
        if (!isFinished(outcome.status))
          await failures.write(failureLine(row, outcome, keyOf(spec)) as unknown as TableRow);
        if (spec.output.rows === 'done' && !isFinished(outcome.status)) continue;
        outputRows += 1;
        const all: TableRow = {
          ...row.input,
          ...namedCells(await loadCells(store, origin, outcome), cells),
          _status: outcome.status,
          _error: errorText(outcome),
        };
        const wanted = Object.fromEntries(
          columns.flatMap((column) => (Object.hasOwn(all, column) ? [[column, all[column] as Json]] : [])),
        );
        for (const table of open.slice(0, planned.length)) await table.write(wanted, row);
      }
      const { blank: _blank, ...fixed } = manifest.cardinality;
      const cardinality = { ...fixed, outputRows };
      const { status, startedAtMs, endedAtMs, error } = input;
      const warnings = [
        ...manifest.warnings,
        ...input.warnings,
        ...cells.warnings,
        ...(await earlierTables(manifest, spec, input)),
      ];
      const result: FinishResult = {
        cardinality,
        rows,
        counts,
        output,
        ...(manifest.redrive ? { from } : {}),
        warnings,
      };
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
  return (input) => withHeartbeat(() => finish(input).catch(endForGood));
}
