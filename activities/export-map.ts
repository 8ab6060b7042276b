// The table of a map as it is now: all outputs of one that has ended once more, or its rows into a file of their own.
import type { ExportInput } from '../contracts/activity-io';
import { noRowCounts, sumRowCounts } from '../contracts/counting';
import type { ExportResult } from '../contracts/export';
import type { ExportSpec } from '../contracts/schemas/export-spec';
import { claimOutputs, type RunningMaps, releaseOutputs } from './claim-outputs';
import { type ExportedMap, findExported, formatOf, ownOutputs, readExportRequest, sourcePaths } from './exported-map';
import { keptEarlier } from './keep-earlier';
import { openMapTable } from './map-tables';
import { outputFiles, placed } from './output-paths';
import { exportRefusal, refusal } from './refusal';
import { presentRows } from './settled-rows';
import { checkOutput } from './sinks/check-output';
import { asOfFirstLook } from './store/first-look';
import type { RunStore } from './store/run-store';
import { tableShape, writeRows } from './table-rows';
import { withHeartbeat } from './with-heartbeat';
import { writeOutput } from './write-output';

export interface ExportDeps extends RunningMaps {
  store: RunStore;
  dataRoot: string;
}

function refused(message: string): never {
  throw refusal('EXPORT_REFUSED', [{ path: '', message }]);
}

/** The `exportMap` activity. Safe to repeat: what is there with the same bytes is only confirmed. Every refusal is for good. */
export function createExportMap(deps: ExportDeps): (input: ExportInput) => Promise<ExportResult> {
  const { store, dataRoot, isRunning } = deps;

  /** No other map may write to these files meanwhile. Those that this one holds until its end stay held. */
  async function claimed<Result>(
    files: readonly string[],
    exported: ExportedMap,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { mapId } = exported.manifest;
    const held = (await isRunning(mapId)) ? await ownOutputs(files, exported, dataRoot) : [];
    const others = files.filter((file) => !held.includes(file));
    await claimOutputs(others, mapId, deps);
    try {
      return await work();
    } finally {
      await releaseOutputs(others, mapId, store);
    }
  }

  /** Tables, failures file and summary as the map left them. */
  async function exportOutputs(
    exported: ExportedMap,
    { map, overwrite }: ExportSpec,
    owner: string,
  ): Promise<ExportResult> {
    const { manifest, spec, end } = exported;
    if (!end)
      refused(
        `map ${map} still runs, or was terminated, so its own tables are not written yet; name a file with to (sluice export --to)`,
      );
    const request = { owner, overwrite, keep: keptEarlier };
    const { output, rows, warnings } = await claimed(outputFiles(spec, { dataRoot, mapId: map }), exported, () =>
      writeOutput(deps, { manifest, end }, request),
    );
    return { map, ended: true, files: [...output.table, output.failures, output.summary], rows, pending: 0, warnings };
  }

  async function exportTo(
    to: string,
    exported: ExportedMap,
    { map, overwrite, format = formatOf(to, exported.spec) }: ExportSpec,
    owner: string,
  ): Promise<ExportResult> {
    const { manifest, spec, end } = exported;
    const path = placed(to, dataRoot);
    await checkOutput([path], { overwrite: true, inputPaths: sourcePaths(spec, dataRoot) });
    if (!end && (await ownOutputs([path], exported, dataRoot)).length > 0)
      refused(`${path} is an output of map ${map}, which writes it at its end; name another file`);
    const present = asOfFirstLook(store);
    const shape = await tableShape(present, { manifest, end });
    const rows = noRowCounts();
    let total = 0;
    await claimed([path], exported, async () => {
      const { columns } = shape;
      const tables = { spec, mapId: map, owner, overwrite, columns, sourceColumns: manifest.columns };
      const table = await openMapTable({ format, path }, tables);
      try {
        await writeRows(presentRows(present, manifest, end), [table], {
          store,
          shape,
          async see({ outcome }) {
            total += 1;
            if (outcome) rows[outcome.status] += 1;
          },
        });
        await table.finish();
      } catch (error) {
        await table.abort();
        throw error;
      }
    });
    const pending = total - sumRowCounts(rows);
    return { map, ended: end !== null, files: [path], rows, pending, warnings: shape.cells.warnings };
  }

  async function run({ request: raw, runId }: ExportInput): Promise<ExportResult> {
    const request = readExportRequest(raw);
    const exported = await findExported(store, request.map);
    if (request.to === undefined) return exportOutputs(exported, request, runId);
    return exportTo(request.to, exported, request, runId);
  }

  return (input) =>
    withHeartbeat(() =>
      run(input).catch((error: unknown) => {
        throw exportRefusal(error);
      }),
    );
}
