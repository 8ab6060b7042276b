// All outputs of a map that has ended: tables, failures file and summary, each under its name in one step.
import type { FinishInput, FinishResult } from '../contracts/activity-io';
import { addCountTable, countFrom, countOutcome, noCountTable, noRowCounts } from '../contracts/counting';
import type { MapSummary, RowCounts } from '../contracts/results';
import type { MapSpec } from '../contracts/schemas/map-spec';
import { assertSums } from './assert-sums';
import { carriedOutcome } from './earlier-calls';
import { failureLine } from './failure-line';
import { openMapTable } from './map-tables';
import { outputPaths, plannedTables } from './output-paths';
import { type EndedMap, settledRows } from './settled-rows';
import type { TableRow, TableWriter } from './sinks/sink';
import { openTable } from './sinks/table-formats';
import type { Manifest, RunStore } from './store/run-store';
import { isFinished, tableShape, writeRows } from './table-rows';

export interface OutputRequest {
  /** Run that writes: leftovers of its own earlier tries are removed. */
  owner: string;
  /** Replace files with other content. */
  overwrite: boolean;
  /** Looks after the tables that these replace; answers where they are kept. */
  keep(paths: readonly string[], mapId: string): Promise<string[]>;
}

/** Columns that identify a row, as the spec names them. */
const keyOf = ({ dataset }: MapSpec): string | string[] | undefined => dataset.key ?? dataset.postgres?.key;

/** A map that was cut short, or ran only the first rows, may replace a table that has more: that one is kept under another name. */
async function earlierTables(
  manifest: Manifest,
  { limits }: MapSpec,
  { mapId, status }: FinishInput,
  keep: OutputRequest['keep'],
): Promise<string[]> {
  const isWhole = status === 'completed' && limits.rows === undefined;
  if (isWhole || manifest.redrive) return [];
  const kept = await keep(manifest.replaces ?? [], mapId);
  return kept.map((path) => `W_EARLIER_TABLE_KEPT: this table is not complete; the one that it replaces is ${path}`);
}

/** Safe to repeat at any step and at any later time: the same outcomes give the same bytes. Throws OutputError, RunStoreError. */
export async function writeOutput(
  { store, dataRoot }: { store: RunStore; dataRoot: string },
  { manifest, end }: EndedMap,
  { owner, overwrite, keep }: OutputRequest,
): Promise<FinishResult> {
  const { mapId } = manifest;
  const spec = manifest.spec as unknown as MapSpec;
  const planned = plannedTables(spec, dataRoot);
  const output = outputPaths(planned, { dataRoot, mapId });
  const shape = await tableShape(store, { manifest, end });
  const tables = { spec, mapId, owner, overwrite, columns: shape.columns, sourceColumns: manifest.columns };
  const beside = { columns: [], owner, overwrite };
  const open: TableWriter[] = [];
  try {
    for (const one of planned) open.push(await openMapTable(one, tables));
    const failures = await openTable({ ...beside, format: 'lines', path: output.failures });
    const writers = [...open];
    open.push(failures);
    const rows = noRowCounts();
    const counts = noCountTable();
    const from: { [mapId: string]: RowCounts } = {};
    const outputRows = await writeRows(settledRows(store, manifest, end), writers, {
      store,
      shape,
      async see({ row, outcome, mapId: origin }) {
        rows[outcome.status] += 1;
        countFrom(from, origin, outcome.status);
        addCountTable(counts, countOutcome(origin === mapId ? outcome : carriedOutcome(outcome)));
        if (!isFinished(outcome.status))
          await failures.write(failureLine(row, outcome, keyOf(spec)) as unknown as TableRow);
      },
    });
    const { blank: _blank, ...fixed } = manifest.cardinality;
    const warnings = [
      ...manifest.warnings,
      ...end.warnings,
      ...shape.cells.warnings,
      ...(await earlierTables(manifest, spec, end, keep)),
    ];
    const result: FinishResult = {
      cardinality: { ...fixed, outputRows },
      rows,
      counts,
      output,
      ...(manifest.redrive ? { from } : {}),
      warnings,
    };
    const { runId, status, startedAtMs, endedAtMs, error } = end;
    const summary: MapSummary = { mapId, runId, name: spec.name, status, startedAtMs, endedAtMs, ...result };
    if (error) summary.error = error;
    assertSums(summary, spec.output.rows);
    const summaryFile = await openTable({ ...beside, format: 'json', path: output.summary });
    open.push(summaryFile);
    await summaryFile.write(summary as unknown as TableRow);
    for (const file of open) await file.finish();
    return result;
  } catch (error) {
    for (const file of open) await file.abort();
    throw error;
  }
}
