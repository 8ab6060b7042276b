// Reads a query in pages along its key: strict > on the last key seen, no OFFSET, so rows that come and go shift nothing.
import type { Client } from 'pg';
import { QUERY_PAGE_ROWS } from '../../../contracts/limits';
import { messageOf, openClient, shownUrl, sqlState } from '../../postgres/connection';
import { sqlName } from '../../postgres/sql-name';
import { resolveSecret } from '../../tools/secrets';
import { SecretUnavailable } from '../../tools/tool-errors';
import { DatasetError } from '../dataset-error';
import type { PostgresSource } from '../options';
import { type QueryShape, queryShape } from './query-shape';
import { rawRows } from './raw-rows';

/** Columns of the query, and what `take` made of its rows as JSON Lines. At most `mostRows` are read. */
export async function readQuery<Taken>(
  source: PostgresSource,
  mostRows: number,
  take: (lines: AsyncIterable<Buffer>) => Promise<Taken>,
): Promise<{ columns: string[]; spool: Taken }> {
  const url = await urlOf(source);
  const client = openClient(url);
  try {
    await client.connect();
    await client.query(
      "set timezone = 'UTC'; set datestyle = 'ISO'; set extra_float_digits = 1; set bytea_output = 'hex'",
    );
    const shape = await queryShape(client, source);
    const spool = await take(linesOf(queryPages(client, source, shape), shape, mostRows));
    return { columns: shape.columns, spool };
  } catch (error) {
    throw queryError(error, url);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function urlOf({ url }: PostgresSource): Promise<string> {
  try {
    return await resolveSecret(url);
  } catch (error) {
    if (!(error instanceof SecretUnavailable)) throw error;
    throw new DatasetError('E_SOURCE_UNREADABLE', 'file', `the URL of the database: ${error.message}`);
  }
}

type Row = (string | null)[];

/** Pages in the order of the key, from its smallest value on; the last one is the first that is not full. */
export async function* queryPages(
  client: Client,
  { key, pageRows = QUERY_PAGE_ROWS, snapshot }: PostgresSource,
  { query, columns, types }: QueryShape,
): AsyncGenerator<Row[]> {
  const names = [key].flat();
  const places = names.map((name) => columns.indexOf(name));
  const order = names.map(sqlName).join(', ');
  // The type goes with the text of the last key, so that the database compares and orders by one rule.
  const values = places.map((place, at) => `$${at + 1}::${types[place]}`).join(', ');
  const begin = snapshot ? 'begin isolation level repeatable read, read only' : 'begin read only';
  let last: Row | null = null;
  await client.query(begin);
  for (;;) {
    const after = last ? `where (${order}) > (${values})` : '';
    const parameters: Row = last ? places.map((place) => last![place]!) : [];
    const text = `select * from (${query}\n) as source ${after} order by ${order} limit ${pageRows}`;
    const { rows }: { rows: Row[] } = await rawRows(client, text, parameters);
    if (!snapshot) await client.query('commit');
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) break;
    last = rows.at(-1)!;
    if (!snapshot) await client.query(begin);
  }
  if (snapshot) await client.query('commit');
}

async function* linesOf(pages: AsyncIterable<Row[]>, shape: QueryShape, mostRows: number): AsyncGenerator<Buffer> {
  const names = shape.columns.map((column) => JSON.stringify(column));
  const line = (row: Row) =>
    `{${row.map((text, at) => `${names[at]}:${text === null ? 'null' : shape.toJson[at]!(text)}`).join(',')}}\n`;
  let left = mostRows;
  for await (const rows of pages) {
    yield Buffer.from(rows.slice(0, left).map(line).join(''));
    left -= rows.length;
    if (left <= 0) return;
  }
}

function queryError(error: unknown, url: string): unknown {
  if (error instanceof DatasetError) return error;
  const state = sqlState(error);
  const options = { cause: error };
  const message = messageOf(error, url);
  if (state === '25006') return new DatasetError('E_PG_READ_ONLY', 'file', `the query writes: ${message}`, {}, options);
  // Classes 08, 28, 3D, 53 and 57: no connection, no access, no such database, overload, shutdown.
  if (state === undefined || /^(08|28|3D|53|57)/.test(state)) {
    return new DatasetError('E_SOURCE_UNREADABLE', 'file', `${shownUrl(url)} cannot be read: ${message}`, {}, options);
  }
  return new DatasetError(
    'E_PG_QUERY',
    'file',
    `the database refuses the query: ${message} (SQLSTATE ${state})`,
    {},
    options,
  );
}
