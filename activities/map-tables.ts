// Opens and checks the tables that a spec names, whatever they are: files by their format, tables of a database by their URL.
import type { MapSpec } from '../contracts/schemas/map-spec';
import type { SecretReference } from '../contracts/schemas/secret-reference';
import { isFile, type PlannedDatabaseTable, type PlannedTable } from './output-paths';
import { resultColumns } from './plan-map';
import { checkPostgresTable, openPostgresTable, type PostgresTarget } from './sinks/postgres/postgres-sink';
import { OutputError, type TableWriter } from './sinks/sink';
import { STATUS_COLUMNS, tableColumns } from './sinks/table-columns';
import { openTable } from './sinks/table-formats';
import { resolveSecret } from './tools/secrets';
import { SecretUnavailable } from './tools/tool-errors';

export interface MapTables {
  spec: MapSpec;
  mapId: string;
  /** Run that writes. */
  owner: string;
  /** Whether files with other content are replaced; default as the spec says. */
  overwrite?: boolean;
  /** All columns of the tables in order. */
  columns: readonly string[];
  /** Columns of the source among them. */
  sourceColumns: readonly string[];
}

/** What is known of the table's columns before a row has run. */
export const admittedColumns = (spec: MapSpec, sourceColumns: readonly string[]) => ({
  sourceColumns,
  columns: tableColumns(spec.output.columns ?? [...sourceColumns, ...(resultColumns(spec) ?? [])], []),
});

/** Opens one table of the map; throws OutputError. */
export async function openMapTable(planned: PlannedTable, tables: MapTables): Promise<TableWriter> {
  if (!isFile(planned)) return openPostgresTable(await targetOf(planned, tables));
  const { spec, owner, columns, overwrite = spec.output.overwrite } = tables;
  const { formulaSafe = false, excel = false } = spec.output;
  const file = await openTable({ ...planned, columns, owner, overwrite, options: { formulaSafe, excel } });
  return withNulls(file, columns);
}

/** Tries every table of a database without a trace; files are checked by check-output.ts. Throws OutputError. */
export async function checkDatabaseTables(planned: readonly PlannedTable[], tables: MapTables): Promise<void> {
  for (const one of planned) if (!isFile(one)) await checkPostgresTable(await targetOf(one, tables));
}

/** Cells of a CSV are text, and so are status and error; everything else may be any JSON. */
async function targetOf(planned: PlannedDatabaseTable, tables: MapTables): Promise<PostgresTarget> {
  const { spec, mapId, columns, sourceColumns } = tables;
  const textColumns = [...STATUS_COLUMNS, ...(spec.dataset.csv === undefined ? [] : sourceColumns)];
  const { table, types } = planned;
  return { url: await urlOf(planned.url), mapId, table, types, columns, textColumns };
}

async function urlOf(reference: SecretReference): Promise<string> {
  try {
    return await resolveSecret(reference);
  } catch (error) {
    if (!(error instanceof SecretUnavailable)) throw error;
    throw new OutputError('OUTPUT_UNWRITABLE', 'file', `the URL of the database: ${error.message}`);
  }
}

/** In a file a cell that is not there is null; a database tells the two apart. */
const withNulls = (file: TableWriter, columns: readonly string[]): TableWriter => ({
  write: (row) =>
    file.write(Object.fromEntries(columns.map((column) => [column, Object.hasOwn(row, column) ? row[column]! : null]))),
  finish: () => file.finish(),
  abort: () => file.abort(),
});
