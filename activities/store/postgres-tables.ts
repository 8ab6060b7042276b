// Tables of the Postgres run store. Bodies are JSON text as bytes: exactly what was written, whatever the database makes of text.
import type { Pool } from 'pg';

const TABLES = `
create schema if not exists sluice;
create table if not exists sluice.maps (
  map_id text primary key,
  run_id text not null,
  manifest text not null,
  created_at timestamptz not null default now()
);
create table if not exists sluice.pages (
  map_id text, page int, body bytea not null,
  primary key (map_id, page)
);
create table if not exists sluice.parts (
  map_id text, page int, part int, sha256 text not null, rows int not null, body bytea not null,
  primary key (map_id, page, part)
);
create table if not exists sluice.values (
  map_id text, sha256 text, body bytea not null,
  primary key (map_id, sha256)
);
create table if not exists sluice.ends (
  map_id text primary key,
  finish text not null
);
create table if not exists sluice.outputs (
  place text primary key,
  map_id text not null
);`;

/** Any number, the same for all workers. */
const LOCK = 727_201_117;

/** Creates what is missing; a user that may only read and write needs nothing when all of it is there. */
export async function createTables(pool: Pool): Promise<void> {
  const { rows } = await pool.query("select to_regclass('sluice.outputs') as present");
  if (rows[0].present !== null) return;
  // Two workers that start together: `if not exists` alone lets the later one fail on a name that was just taken.
  // Statements that are sent together are one transaction.
  await pool.query(`select pg_advisory_xact_lock(${LOCK}); ${TABLES}`);
}
