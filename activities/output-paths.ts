// Where the results of a map go: the tables that the spec names, and the failures and summary files beside the first one that is a file.
import { isAbsolute, join, parse, relative, resolve } from 'node:path';
import type { OutputPaths } from '../contracts/results';
import type { MapSpec } from '../contracts/schemas/map-spec';
import type { SecretReference } from '../contracts/schemas/secret-reference';
import { OutputError } from './sinks/sink';
import { describeSecret } from './tools/secrets';

export interface PlannedFile {
  format: 'csv' | 'jsonl';
  path: string;
}

export interface PlannedDatabaseTable {
  format: 'postgres';
  url: SecretReference;
  table: string;
  types: { readonly [column: string]: string };
}

export type PlannedTable = PlannedFile | PlannedDatabaseTable;

/** Folder of the failures and summary files of a map whose only table is in a database. */
const FOLDER_WITHOUT_TABLE = 'out';

/** Absolute path; a relative one starts at the data root and may not leave it. */
export function placed(path: string, dataRoot: string): string {
  const absolute = resolve(dataRoot, path);
  const inside = relative(dataRoot, absolute);
  if (!isAbsolute(path) && (inside.startsWith('..') || isAbsolute(inside))) {
    throw new OutputError(
      'OUTPUT_UNWRITABLE',
      'file',
      `${path} leaves the data root ${dataRoot}; expected a path inside it or an absolute one`,
    );
  }
  return absolute;
}

export function plannedTables({ output }: MapSpec, dataRoot: string): PlannedTable[] {
  const formats = ['csv', 'jsonl'] as const;
  const files = formats.flatMap((format): PlannedTable[] => {
    const path = output[format];
    return path === undefined ? [] : [{ format, path: placed(path, dataRoot) }];
  });
  if (output.postgres === undefined) return files;
  const { url, table, types = {} } = output.postgres;
  return [...files, { format: 'postgres', url, table, types }];
}

export const isFile = (table: PlannedTable): table is PlannedFile => table.format !== 'postgres';

/** As progress and summary name a table: the path of a file, or the table and where its URL lies. */
const nameOf = (planned: PlannedTable): string =>
  isFile(planned) ? planned.path : `PostgreSQL table ${planned.table} at ${describeSecret(planned.url)}`;

/** `out/firms.csv` gives `out/firms.failures.jsonl` and `out/firms.summary.json`; without a file they are named by the map's id. */
export function outputPaths(
  tables: readonly PlannedTable[],
  { dataRoot, mapId }: { dataRoot: string; mapId: string },
): OutputPaths {
  const first = tables.find(isFile)?.path ?? join(resolve(dataRoot), FOLDER_WITHOUT_TABLE, `${mapId}.table`);
  const { dir, name } = parse(first);
  return {
    table: tables.map(nameOf),
    failures: join(dir, `${name}.failures.jsonl`),
    summary: join(dir, `${name}.summary.json`),
  };
}

/** Every file that the map will write. */
export function outputFiles(spec: MapSpec, where: { dataRoot: string; mapId: string }): string[] {
  const tables = plannedTables(spec, where.dataRoot);
  const { failures, summary } = outputPaths(tables, where);
  return [...tables.filter(isFile).map(({ path }) => path), failures, summary];
}
