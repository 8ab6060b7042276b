// The table of a map as it is now: all outputs of one that has ended once more, or its rows into a file of their own.
import { realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { ExportInput } from '../contracts/activity-io';
import { noRowCounts, sumRowCounts } from '../contracts/counting';
import type { ExportResult, TableFormatName } from '../contracts/export';
import { type ExportSpec, parseExportSpec } from '../contracts/schemas/export-spec';
import type { MapSpec } from '../contracts/schemas/map-spec';
import { keptEarlier } from './keep-earlier';
import { openMapTable } from './map-tables';
import { filePaths, outputPaths, placed, plannedTables } from './output-paths';
import { exportRefusal, refusal } from './refusal';
import { type EndedMap, presentRows, readEndedMap } from './settled-rows';
import { checkOutput } from './sinks/check-output';
import { asOfFirstLook } from './store/first-look';
import type { Manifest, RunStore } from './store/run-store';
import { tableShape, writeRows } from './table-rows';
import { withHeartbeat } from './with-heartbeat';
import { writeOutput } from './write-output';

export interface ExportDeps {
  store: RunStore;
  dataRoot: string;
}

interface ExportedMap {
  manifest: Manifest;
  spec: MapSpec;
  /** Null while the map has no end in the store. */
  end: EndedMap['end'] | null;
}

function refused(message: string): never {
  throw refusal('EXPORT_REFUSED', [{ path: '', message }]);
}

function readRequest(raw: unknown): ExportSpec {
  const reading = parseExportSpec(raw);
  if (!reading.ok) throw refusal('INVALID_SPEC', reading.problems);
  return reading.value;
}

async function findExported(store: RunStore, map: string): Promise<ExportedMap> {
  const manifest = await store.readManifest(map);
  if (manifest) {
    const end = (await readEndedMap(store, map))?.end ?? null;
    return { manifest, end, spec: manifest.spec as unknown as MapSpec };
  }
  const message = `map ${map} is not in the run store ${store.place}: it is still being admitted, was refused, or was admitted into another store`;
  throw refusal('MAP_NOT_IN_STORE', [{ path: '', message }]);
}

/** By the ending of the path, else as the first table of the map. */
function formatOf(path: string, spec: MapSpec): TableFormatName {
  const ending = extname(path).toLowerCase();
  if (ending === '.csv') return 'csv';
  if (ending === '.jsonl' || ending === '.ndjson') return 'jsonl';
  return spec.output.csv === undefined ? 'jsonl' : 'csv';
}

/** Files that the map reads; one of them is never replaced, whatever `overwrite` says. */
function sourcePaths({ dataset }: MapSpec, dataRoot: string): string[] {
  return [dataset.csv ?? [], dataset.jsonl ?? []].flat().map((path) => resolve(dataRoot, path));
}

/** The path with its folder as it really lies; the file itself need not be there. */
const placeOf = async (path: string): Promise<string> =>
  join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));

async function isOwnOutput(path: string, spec: MapSpec, where: { dataRoot: string; mapId: string }): Promise<boolean> {
  const planned = plannedTables(spec, where.dataRoot);
  const own = await Promise.all(filePaths(planned, outputPaths(planned, where)).map(placeOf));
  return own.includes(await placeOf(path));
}

/** The `exportMap` activity. Safe to repeat: what is there with the same bytes is only confirmed. Every refusal is for good. */
export function createExportMap({ store, dataRoot }: ExportDeps): (input: ExportInput) => Promise<ExportResult> {
  /** Tables, failures file and summary as the map left them. */
  async function exportOutputs(
    { manifest, end }: ExportedMap,
    { map, overwrite }: ExportSpec,
    owner: string,
  ): Promise<ExportResult> {
    if (!end)
      refused(
        `map ${map} still runs, or was terminated, so its own tables are not written yet; name a file with to (sluice export --to)`,
      );
    const { output, rows, warnings } = await writeOutput(
      { store, dataRoot },
      { manifest, end },
      { owner, overwrite, keep: keptEarlier },
    );
    return { map, ended: true, files: [...output.table, output.failures, output.summary], rows, pending: 0, warnings };
  }

  async function exportTo(
    to: string,
    { manifest, spec, end }: ExportedMap,
    { map, overwrite, format = formatOf(to, spec) }: ExportSpec,
    owner: string,
  ): Promise<ExportResult> {
    const path = placed(to, dataRoot);
    await checkOutput([path], { overwrite: true, inputPaths: sourcePaths(spec, dataRoot) });
    if (!end && (await isOwnOutput(path, spec, { dataRoot, mapId: map })))
      refused(`${path} is an output of map ${map}, which writes it at its end; name another file`);
    const present = asOfFirstLook(store);
    const shape = await tableShape(present, { manifest, end });
    const rows = noRowCounts();
    let total = 0;
    const table = await openMapTable(
      { format, path },
      {
        spec,
        mapId: map,
        owner,
        overwrite,
        columns: shape.columns,
        sourceColumns: manifest.columns,
      },
    );
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
    const pending = total - sumRowCounts(rows);
    return { map, ended: end !== null, files: [path], rows, pending, warnings: shape.cells.warnings };
  }

  async function run({ request: raw, runId }: ExportInput): Promise<ExportResult> {
    const request = readRequest(raw);
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
