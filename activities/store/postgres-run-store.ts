// Run store in PostgreSQL, for several machines that run one map. Every write is one statement, so a retry after a lost answer only confirms it.
import type { QueryResultRow } from 'pg';
import type { FinishInput } from '../../contracts/activity-io';
import type { AdmittedRow } from '../../contracts/plan';
import type { RowResult } from '../../contracts/results';
import { createPool, messageOf, shownUrl } from '../postgres/connection';
import { linesOf, parseJsonLines, sha256Hex } from './json-lines';
import { createTables } from './postgres-tables';
import { type Manifest, ofSameRun, partRecord, type RunStore, RunStoreError } from './run-store';
import { checkMapId, mapFolder, valueDigest, valueRef } from './store-layout';

export interface PostgresRunStoreOptions {
  /** `postgres://user@host:port/database`; the password comes from PGPASSWORD or PGPASSFILE. */
  url: string;
  /** Folder for what only this machine needs: spools and rejects files. */
  localRoot: string;
}

export interface PostgresRunStore extends RunStore {
  close(): Promise<void>;
}

/** The tables lie in the schema `sluice`, which is created when it is missing. Faults of the database are RunStoreError STORE_FAILED. */
export function createPostgresRunStore({ url, localRoot }: PostgresRunStoreOptions): PostgresRunStore {
  const place = shownUrl(url);
  const pool = createPool(url);
  let tables: Promise<void> | null = null;

  const failed = (error: unknown) =>
    new RunStoreError('STORE_FAILED', `the run store ${place}: ${messageOf(error, url)}`, { cause: error });

  /** Tables are looked after once; a database that was away is asked again. */
  function ready(): Promise<void> {
    tables ??= createTables(pool).catch((error: unknown) => {
      tables = null;
      throw error;
    });
    return tables;
  }

  async function query<Row extends QueryResultRow>(mapId: string, sql: string, values: unknown[]): Promise<Row[]> {
    checkMapId(mapId);
    try {
      await ready();
      return (await pool.query<Row>(sql, [mapId, ...values])).rows;
    } catch (error) {
      throw failed(error);
    }
  }

  async function body(mapId: string, what: string, sql: string, values: unknown[]): Promise<Buffer> {
    const [row] = await query<{ body: Buffer }>(mapId, sql, values);
    if (row) return row.body;
    throw new RunStoreError('STORE_FAILED', `${what} of map ${mapId} is not in the run store ${place}`);
  }

  async function readManifest(mapId: string): Promise<Manifest | null> {
    const [row] = await query<{ manifest: string }>(mapId, 'select manifest from sluice.maps where map_id = $1', []);
    return row ? (JSON.parse(row.manifest) as Manifest) : null;
  }

  return {
    place,
    folder: (mapId) => mapFolder(localRoot, mapId),
    readManifest,
    close: () => pool.end(),

    async createManifest(mapId, manifest) {
      const insert =
        'insert into sluice.maps (map_id, run_id, manifest) values ($1, $2, $3) on conflict do nothing returning 1';
      if ((await query(mapId, insert, [manifest.runId, JSON.stringify(manifest)])).length > 0) return manifest;
      return ofSameRun(await readManifest(mapId), manifest);
    },

    async writePage(mapId, page, rows) {
      const bytes = linesOf(rows);
      const written = await query(
        mapId,
        `insert into sluice.pages as stored (map_id, page, body)
         select $1, $2, $3 where not exists (select from sluice.maps where map_id = $1)
         on conflict (map_id, page) do update set body = excluded.body returning 1`,
        [page, bytes],
      );
      if (written.length > 0) return;
      const equal = 'select 1 from sluice.pages where map_id = $1 and page = $2 and body = $3';
      if ((await query(mapId, equal, [page, bytes])).length > 0) return;
      throw new RunStoreError(
        'RESULTS_INCONSISTENT',
        `page ${page} of map ${mapId} differs from the one that was admitted`,
      );
    },

    async readPage(mapId, page) {
      const sql = 'select body from sluice.pages where map_id = $1 and page = $2';
      return parseJsonLines<AdmittedRow>(await body(mapId, `page ${page}`, sql, [page]));
    },

    async writePart(mapId, page, part, outcomes) {
      const bytes = linesOf(outcomes);
      const record = partRecord(part, bytes);
      const insert = `insert into sluice.parts (map_id, page, part, sha256, rows, body) values ($1, $2, $3, $4, $5, $6)
         on conflict do nothing returning 1`;
      const values = [page, part, record.sha256, record.rows, bytes];
      if ((await query(mapId, insert, values)).length > 0) return record;
      const find = 'select sha256, rows from sluice.parts where map_id = $1 and page = $2 and part = $3';
      const [stored] = await query<{ sha256: string; rows: number }>(mapId, find, [page, part]);
      if (stored?.sha256 === record.sha256) return record;
      throw new RunStoreError(
        'RESULTS_INCONSISTENT',
        `part ${part} of page ${page} of map ${mapId} holds ${stored?.rows} outcomes with sha256 ${stored?.sha256}; the same part now has ${record.rows} with ${record.sha256}`,
      );
    },

    async listParts(mapId, page) {
      const sql = 'select part, body from sluice.parts where map_id = $1 and page = $2 order by part';
      const rows = await query<{ part: number; body: Buffer }>(mapId, sql, [page]);
      return rows.map((row) => partRecord(row.part, row.body));
    },

    async readPart(mapId, page, part) {
      const sql = 'select body from sluice.parts where map_id = $1 and page = $2 and part = $3';
      return parseJsonLines<RowResult>(await body(mapId, `part ${part} of page ${page}`, sql, [page, part]));
    },

    async writeEnd(mapId, end) {
      const sql = `insert into sluice.ends (map_id, finish) values ($1, $2)
         on conflict (map_id) do update set finish = excluded.finish`;
      await query(mapId, sql, [JSON.stringify(end)]);
    },

    async readEnd(mapId) {
      const [row] = await query<{ finish: string }>(mapId, 'select finish from sluice.ends where map_id = $1', []);
      return row ? (JSON.parse(row.finish) as FinishInput) : null;
    },

    async claimOutput(place, mapId, instead) {
      const claim = `insert into sluice.outputs as held (map_id, place) values ($1, $2)
         on conflict (place) do update set map_id = $1 where held.map_id in ($1, $3::text) returning map_id`;
      const find = 'select map_id from sluice.outputs where place = $2 and map_id <> $1';
      for (;;) {
        const [mine] = await query<{ map_id: string }>(mapId, claim, [place, instead ?? null]);
        const [holder] = mine ? [mine] : await query<{ map_id: string }>(mapId, find, [place]);
        if (holder) return holder.map_id;
      }
    },

    async releaseOutput(place, mapId) {
      await query(mapId, 'delete from sluice.outputs where map_id = $1 and place = $2', [place]);
    },

    async putValue(mapId, json) {
      const digest = sha256Hex(json);
      const bytes = Buffer.from(json);
      const sql = 'insert into sluice.values (map_id, sha256, body) values ($1, $2, $3) on conflict do nothing';
      await query(mapId, sql, [digest, bytes]);
      return { $stored: { ref: valueRef(digest), digest, bytes: bytes.length } };
    },

    async getValue(mapId, ref) {
      const digest = valueDigest(ref);
      const sql = 'select body from sluice.values where map_id = $1 and sha256 = $2';
      const bytes = await body(mapId, `value ${ref}`, sql, [digest]);
      if (sha256Hex(bytes) === digest) return bytes.toString('utf8');
      throw new RunStoreError(
        'STORE_FAILED',
        `value ${ref} of map ${mapId} is damaged: its sha256 is ${sha256Hex(bytes)}`,
      );
    },
  };
}
