// What an export is about: its request, the map as the run store has it, and the files that it must leave alone.
import { extname, resolve } from 'node:path';
import type { TableFormatName } from '../contracts/export';
import { type ExportSpec, parseExportSpec } from '../contracts/schemas/export-spec';
import type { MapSpec } from '../contracts/schemas/map-spec';
import { placesOf } from './claim-outputs';
import { outputFiles } from './output-paths';
import { refusal } from './refusal';
import { type EndedMap, readEndedMap } from './settled-rows';
import type { Manifest, RunStore } from './store/run-store';

export interface ExportedMap {
  manifest: Manifest;
  spec: MapSpec;
  /** Null while the map has no end in the store. */
  end: EndedMap['end'] | null;
}

/** Throws INVALID_SPEC. */
export function readExportRequest(raw: unknown): ExportSpec {
  const reading = parseExportSpec(raw);
  if (!reading.ok) throw refusal('INVALID_SPEC', reading.problems);
  return reading.value;
}

/** Throws MAP_NOT_IN_STORE. */
export async function findExported(store: RunStore, map: string): Promise<ExportedMap> {
  const manifest = await store.readManifest(map);
  if (manifest) {
    const end = (await readEndedMap(store, map))?.end ?? null;
    return { manifest, end, spec: manifest.spec as unknown as MapSpec };
  }
  const message = `map ${map} is not in the run store ${store.place}: it is still being admitted, was refused, or was admitted into another store`;
  throw refusal('MAP_NOT_IN_STORE', [{ path: '', message }]);
}

/** By the ending of the path, else as the first table of the map. */
export function formatOf(path: string, { output }: MapSpec): TableFormatName {
  const ending = extname(path).toLowerCase();
  if (ending === '.csv') return 'csv';
  if (ending === '.jsonl' || ending === '.ndjson') return 'jsonl';
  return output.csv === undefined ? 'jsonl' : 'csv';
}

/** Files that the map reads; one of them is never replaced, whatever `overwrite` says. */
export const sourcePaths = ({ dataset }: MapSpec, dataRoot: string): string[] =>
  [dataset.csv ?? [], dataset.jsonl ?? []]
    .flat()
    .flatMap((path) => (typeof path === 'string' ? resolve(dataRoot, path) : []));

/** Of these files those that the map writes itself at its end. */
export async function ownOutputs(
  files: readonly string[],
  { manifest, spec }: ExportedMap,
  dataRoot: string,
): Promise<string[]> {
  const own = await placesOf(outputFiles(spec, { dataRoot, mapId: manifest.mapId }));
  const places = await placesOf(files);
  return files.filter((_, at) => own.includes(places[at]!));
}
