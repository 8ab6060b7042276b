// Connections to PostgreSQL: a pool that survives lost connections, and names and messages without passwords.
import { Client, Pool } from 'pg';
import {
  POSTGRES_CONNECT_MS,
  POSTGRES_CONNECTIONS,
  POSTGRES_KEEP_ALIVE_MS,
  POSTGRES_QUERY_MS,
} from '../../contracts/limits';
import { redact } from '../tools/redact';

/** A URL as logs and errors may show it: no password, no options. Text that is no URL shows nothing of itself. */
export function shownUrl(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url);
    return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
  } catch {
    return 'an address that is no URL';
  }
}

/** The password of a URL, as it is and as the URL spells it. */
function passwordsOf(url: string): string[] {
  try {
    const { password } = new URL(url);
    return password === '' ? [] : [password, decodeURIComponent(password)];
  } catch {
    return [];
  }
}

/** Message of a failed query or connection, without any password of `url`. */
export const messageOf = (error: unknown, url: string): string => {
  const { message, code } = error as { message?: string; code?: string };
  // Refused connections to several addresses of one name come as an AggregateError without a message.
  return redact(message || code || String(error), passwordsOf(url));
};

/** A pool that opens nothing until it is used. What the URL leaves out comes from PGPASSWORD, PGPASSFILE and the other variables of libpq. */
export function createPool(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'sluice',
    max: POSTGRES_CONNECTIONS,
    connectionTimeoutMillis: POSTGRES_CONNECT_MS,
    query_timeout: POSTGRES_QUERY_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: POSTGRES_KEEP_ALIVE_MS,
    // Keeps a process alive only while it works.
    allowExitOnIdle: true,
  });
  // An idle connection that breaks is no fault: the next query opens another one. Without a listener it would end the process.
  pool.on('error', () => undefined);
  return pool;
}

/** One connection, not yet open, for work that needs a transaction or a COPY. */
export function openClient(url: string): Client {
  const client = new Client({
    connectionString: url,
    application_name: 'sluice',
    connectionTimeoutMillis: POSTGRES_CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: POSTGRES_KEEP_ALIVE_MS,
  });
  // A connection that breaks is told by the query that waits for it. Without a listener it would end the process.
  client.on('error', () => undefined);
  return client;
}

/** SQLSTATE of an error of the server; undefined for anything else. */
export const sqlState = (error: unknown): string | undefined => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
};
