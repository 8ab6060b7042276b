// Table in PostgreSQL: rows go into a staging table by COPY, and at the end into the table by one upsert, in one transaction.
// COPY for every size: one path, bounded memory, and no limit on parameters as multi-row VALUES have.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Client } from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import { FILE_CHUNK_BYTES } from '../../../contracts/limits';
import { messageOf, openClient, shownUrl } from '../../postgres/connection';
import { sqlName } from '../../postgres/sql-name';
import { fitColumns } from '../fit-columns';
import { OutputError, type RowPlace, type TableRow, type TableWriter, type WrittenTable } from '../sink';
import { copyField } from './copy-text';
import { planTable, ROW_COLUMNS, type TargetTable, tableName } from './target-table';

export interface PostgresTarget extends TargetTable {
  url: string;
  mapId: string;
}

const STAGING = 'sluice_staging';

/** Tries what `openPostgresTable` needs and takes it back: the table, its columns and types, and the rights. */
export async function checkPostgresTable(target: PostgresTarget): Promise<void> {
  const client = openClient(target.url);
  try {
    await client.connect();
    await client.query('begin');
    for (const statement of (await planTable(client, target)).statements) await client.query(statement);
    await client.query('rollback');
  } catch (error) {
    throw fault(error, target, 'OUTPUT_UNWRITABLE');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A table whose rows are found by their identity: those of an earlier map or try are updated, none is there twice. */
export async function openPostgresTable(target: PostgresTarget): Promise<TableWriter> {
  const client = openClient(target.url);
  try {
    await client.connect();
    // The table itself is touched at the very end: an earlier try that still lives must not hold its lock.
    const { types, jsonColumns } = await planTable(client, target);
    await client.query(
      `create temp table ${STAGING} (${types.map(({ name, type }) => `${sqlName(name)} ${type}`).join(', ')})`,
    );
    const copy = client.query(copyFrom(`copy ${STAGING} from stdin`));
    return new PostgresTable(target, client, copy, jsonColumns);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw fault(error, target, 'E_SINK_IO');
  }
}

class PostgresTable implements TableWriter {
  private buffered: string[] = [];
  private bufferedBytes = 0;
  private bytes = 0;
  private rows = 0;
  private sanitized = 0;
  private broken: unknown = null;
  private readonly hash = createHash('sha256');

  constructor(
    private readonly target: PostgresTarget,
    private readonly client: Client,
    private readonly copy: CopyStreamQuery,
    private readonly jsonColumns: ReadonlySet<string>,
  ) {
    copy.on('error', (error: unknown) => {
      this.broken = error;
    });
  }

  async write(row: TableRow, place?: RowPlace): Promise<void> {
    if (!place) throw new Error('a row of a Postgres table needs its identity');
    const { columns, mapId } = this.target;
    const fields = fitColumns(row, columns).map((value, at) => copyField(value, this.jsonColumns.has(columns[at]!)));
    const identity = createHash('sha256').update(place.identity).digest('hex');
    const line = [`\\\\x${identity}`, copyField(mapId, false).text, place.ordinal, ...fields.map(({ text }) => text)];
    await this.push(`${line.join('\t')}\n`);
    this.rows += 1;
    for (const { sanitized } of fields) this.sanitized += sanitized;
  }

  /** One upsert and COMMIT. When the answer to COMMIT is lost the whole is written again, which changes nothing. */
  async finish(): Promise<WrittenTable> {
    try {
      await this.flush();
      this.copy.end();
      await this.until('finish');
      await this.client.query('begin');
      for (const statement of (await planTable(this.client, this.target)).statements)
        await this.client.query(statement);
      const inserted = await this.upsert();
      await this.client.query('commit');
      const { bytes, rows, sanitized } = this;
      return { path: this.place(), bytes, rows, sanitized, inserted, sha256: this.hash.digest('hex') };
    } catch (error) {
      throw fault(error, this.target, 'E_SINK_IO');
    } finally {
      await this.client.end().catch(() => undefined);
    }
  }

  async abort(): Promise<void> {
    this.buffered = [];
    this.copy.destroy();
    // The staging table goes with its connection.
    await this.client.end().catch(() => undefined);
  }

  private place = (): string => `${shownUrl(this.target.url)} ${this.target.table}`;

  /** Rows of the staging table that were not in the table before. In the order of the identity, so that two writers wait for each other and never in a circle. */
  private async upsert(): Promise<number> {
    const names = [...ROW_COLUMNS, ...this.target.columns.map(sqlName)];
    const updated = names.slice(1);
    // As text, since the type json has no comparison of its own.
    const differs = updated.map((name) => `present.${name}::text is distinct from excluded.${name}::text`).join(' or ');
    const { rows } = await this.client.query(
      `with written as (
         insert into ${tableName(this.target.table)} as present (${names.join(', ')})
         select distinct on (_identity) ${names.join(', ')} from ${STAGING} order by _identity, ctid desc
         on conflict (_identity) do update set ${updated.map((name) => `${name} = excluded.${name}`).join(', ')}
         where ${differs}
         returning xmax = 0 as inserted
       ) select count(*) filter (where inserted)::int as inserted from written`,
    );
    return rows[0].inserted;
  }

  private async push(line: string): Promise<void> {
    this.hash.update(line);
    const bytes = Buffer.byteLength(line);
    this.bytes += bytes;
    this.bufferedBytes += bytes;
    this.buffered.push(line);
    if (this.bufferedBytes < FILE_CHUNK_BYTES) return;
    try {
      await this.flush();
    } catch (error) {
      throw fault(error, this.target, 'E_SINK_IO');
    }
  }

  private async flush(): Promise<void> {
    const text = this.buffered.join('');
    this.buffered = [];
    this.bufferedBytes = 0;
    if (this.broken) throw this.broken;
    if (text !== '' && !this.copy.write(text)) await this.until('drain');
  }

  /** The event, or the error that came before or instead. */
  private async until(event: 'drain' | 'finish'): Promise<void> {
    if (this.broken) throw this.broken;
    await once(this.copy, event);
  }
}

/** The error of a database as one of the output, without the password of its URL. */
function fault(error: unknown, { url, table }: PostgresTarget, code: 'E_SINK_IO' | 'OUTPUT_UNWRITABLE'): OutputError {
  if (error instanceof OutputError) return error;
  const message = `${shownUrl(url)} ${table} could not be written: ${messageOf(error, url)}`;
  return new OutputError(code, 'file', message, { cause: error });
}
