// The table that a map writes into: created or completed, never changed in what it has.
import type { Client } from 'pg';
import { sqlName } from '../../postgres/sql-name';
import { OutputError } from '../sink';

export interface TargetTable {
  /** `companies` or `crm.companies`. */
  table: string;
  columns: readonly string[];
  /** Types by column, as PostgreSQL names them; the others get `text` when they are in `textColumns`, else `jsonb`. */
  types: { readonly [column: string]: string };
  textColumns: readonly string[];
}

/** Columns of every such table, before those of the map. `_identity`: sha256 of the row's identity, since a raw key can be too long for an index. */
export const ROW_COLUMNS = ['_identity', '_map', '_ordinal'] as const;
const ROW_TYPES = ['bytea', 'text', 'bigint'];
const ROW_DEFINITIONS = ['_identity bytea primary key', '_map text not null', '_ordinal bigint not null'];

/** PostgreSQL cuts longer names without a word, and two of them can become one. */
const NAME_BYTES = 63;

/** The quoted name; a name with one dot is in that schema. */
export const tableName = (table: string): string => table.split('.').map(sqlName).join('.');

function checkNames({ table, columns }: TargetTable): void {
  for (const name of [...table.split('.'), ...columns]) {
    const bytes = Buffer.byteLength(name);
    if (bytes <= NAME_BYTES) continue;
    const message = `${JSON.stringify(name)} has ${bytes} bytes; PostgreSQL names have at most ${NAME_BYTES}`;
    throw new OutputError('E_PG_IDENTIFIER_TOO_LONG', 'file', message);
  }
}

export interface TablePlan {
  /** Type of each column, ROW_COLUMNS first. */
  types: { name: string; type: string }[];
  /** Columns of the target that hold JSON. */
  jsonColumns: ReadonlySet<string>;
  /** Statements that create the table or add the columns it lacks. */
  statements: string[];
}

/** Looks what is there and what is to be done; changes nothing. Throws OutputError. */
export async function planTable(client: Client, target: TargetTable): Promise<TablePlan> {
  checkNames(target);
  const name = tableName(target.table);
  const asked = await columnTypes(client, target);
  const there = await existingColumns(client, name);
  const lacking = ROW_COLUMNS.find((column) => there.size > 0 && !there.has(column));
  if (lacking) {
    const message = `the table ${target.table} exists and has no column ${lacking}: it is not one that Sluice made; name another table`;
    throw new OutputError('OUTPUT_EXISTS', 'file', message);
  }
  const definition = (column: string) => `${sqlName(column)} ${asked.get(column)}`;
  const added = target.columns.filter((column) => !there.has(column)).map(definition);
  const statements =
    there.size > 0
      ? added.map((column) => `alter table ${name} add column ${column}`)
      : [`create table ${name} (${[...ROW_DEFINITIONS, ...added].join(', ')})`];
  const typeOf = (column: string) => there.get(column) ?? asked.get(column)!;
  return {
    types: [
      ...ROW_COLUMNS.map((column, at) => ({ name: column, type: ROW_TYPES[at]! })),
      ...target.columns.map((column) => ({ name: column, type: typeOf(column) })),
    ],
    jsonColumns: new Set(target.columns.filter((column) => /^jsonb?$/.test(typeOf(column)))),
    statements,
  };
}

async function columnTypes(client: Client, { columns, types, textColumns }: TargetTable): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const column of columns) {
    const asked = types[column];
    found.set(
      column,
      asked === undefined ? (textColumns.includes(column) ? 'text' : 'jsonb') : await knownType(client, column, asked),
    );
  }
  return found;
}

/** The type as the database writes it: a text that names no type never becomes part of a statement. */
async function knownType(client: Client, column: string, type: string): Promise<string> {
  const { rows } = await client.query('select format_type(to_regtype($1), null) as name', [type]);
  const name = rows[0].name as string | null;
  if (name !== null && name !== '-') return name;
  const message = `types.${column}: PostgreSQL has no type ${JSON.stringify(type)}; expected one such as date, numeric or text`;
  throw new OutputError('OUTPUT_UNWRITABLE', 'file', message);
}

async function existingColumns(client: Client, name: string): Promise<Map<string, string>> {
  const { rows } = await client.query(
    'select attname, format_type(atttypid, null) as type from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped',
    [name],
  );
  return new Map(rows.map(({ attname, type }) => [attname, type]));
}
