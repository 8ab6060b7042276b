// What is known of a query before its first row: that it only reads, its columns and their types, and that its key is one.
import type { Client } from 'pg';
import { sqlName } from '../../postgres/sql-name';
import { DatasetError } from '../dataset-error';
import { checkKeyColumns } from '../key-columns';
import type { PostgresSource } from '../options';
import { arrayJson, scalarJson, type ToJson } from './column-json';
import { rawRows } from './raw-rows';

export interface QueryShape {
  /** Without a semicolon at its end. */
  query: string;
  columns: string[];
  /** Names of the types, as a cast takes them. */
  types: string[];
  toJson: ToJson[];
}

/** Throws E_PG_READ_ONLY, E_HEADER_DUPLICATE, E_KEY_COLUMN_MISSING, E_PG_KEY_NULL or E_PG_KEY_NOT_UNIQUE, and what the database says. */
export async function queryShape(client: Client, source: PostgresSource): Promise<QueryShape> {
  const query = source.query.replace(/[\s;]+$/, '');
  await client.query('begin read only');
  await refuseWriting(client, query);
  const { fields } = await rawRows(client, `select * from (${query}\n) as source limit 0`);
  const columns = fields.map(({ name }) => name);
  refuseRepeated(columns);
  const key = [source.key].flat();
  checkKeyColumns(key, columns, null);
  await checkKey(client, query, key);
  const described = await describeTypes(
    client,
    fields.map(({ dataTypeID }) => dataTypeID),
  );
  await client.query('commit');
  return { query, columns, ...described };
}

interface PlanNode {
  'Node Type'?: string;
  Plans?: PlanNode[];
}

const writes = (node: PlanNode): boolean => node['Node Type'] === 'ModifyTable' || (node.Plans ?? []).some(writes);

/** The plan tells a DELETE apart from a misspelt SELECT; functions that write are stopped by the read-only transaction. */
async function refuseWriting(client: Client, query: string): Promise<void> {
  const { rows } = await rawRows(client, `explain (format json) ${query}`);
  const [{ Plan }] = JSON.parse(rows[0]![0]!) as [{ Plan: PlanNode }];
  if (!writes(Plan)) return;
  throw new DatasetError('E_PG_READ_ONLY', 'file', 'the query writes; expected one SELECT that only reads');
}

function refuseRepeated(columns: readonly string[]): void {
  const repeated = columns.find((name, at) => columns.indexOf(name) < at);
  if (repeated === undefined) return;
  const message = `the query has two columns named ${JSON.stringify(repeated)}; name one of them with as`;
  throw new DatasetError('E_HEADER_DUPLICATE', 'file', message);
}

/** Strict > would pass over the second of two equal keys, and over every null. */
async function checkKey(client: Client, query: string, key: readonly string[]): Promise<void> {
  const names = key.map(sqlName);
  const isNull = names.map((name) => `${name} is null`).join(' or ');
  const nulls = await rawRows(client, `select 1 from (${query}\n) as source where ${isNull} limit 1`);
  const shown = key.map((name) => JSON.stringify(name)).join(', ');
  if (nulls.rows.length > 0) {
    const message = `the key ${shown} is null in a row; expected columns that are never null, or a query without such rows`;
    throw new DatasetError('E_PG_KEY_NULL', 'file', message);
  }
  const grouped = `group by ${names.join(', ')} having count(*) > 1 limit 1`;
  const repeated = await rawRows(client, `select ${names.join(', ')} from (${query}\n) as source ${grouped}`);
  const [values] = repeated.rows;
  if (!values) return;
  const message = `two rows have the key ${shown} = ${values.map((text) => JSON.stringify(text)).join(', ')}; add a column that tells them apart`;
  throw new DatasetError('E_PG_KEY_NOT_UNIQUE', 'file', message);
}

async function describeTypes(client: Client, ids: readonly number[]): Promise<{ types: string[]; toJson: ToJson[] }> {
  const { rows } = await rawRows(
    client,
    "select oid, format_type(oid, null), case when typcategory = 'A' then typelem end from pg_type where oid = any($1::oid[])",
    [`{${ids.join(',')}}`],
  );
  const known = new Map(rows.map(([id, name, element]) => [Number(id), { name: name!, element }]));
  const types = ids.map((id) => known.get(id)?.name ?? 'text');
  const toJson = ids.map((id) => {
    const element = known.get(id)?.element;
    return element ? arrayJson(scalarJson(Number(element))) : scalarJson(id);
  });
  return { types, toJson };
}
