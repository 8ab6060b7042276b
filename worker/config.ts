// Settings of a worker process, read from its environment in this one file; everything wrong is reported together.
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { CRASH_POINTS, type CrashPoint } from '../activities/crash-points';
import { durationProblem, parseDuration } from '../contracts/duration';
import {
  HEARTBEAT_TIMEOUT_MS,
  JOIN_AGAIN_MS,
  LEASE_TTL_MS,
  MAX_LEASE_TTL_MS,
  MIN_LEASE_TTL_MS,
  PAGE_ROWS,
  PARKED_AFTER_MS,
  SECTION_PAGES,
} from '../contracts/limits';

const LOG_LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR'] as const;

export interface WorkerConfig {
  /** Folder of `*.provider.yaml` files; SLUICE_PROVIDERS, default `providers`. */
  providersFolder: string;
  /** Folder under which relative paths of specs are resolved; SLUICE_DATA_ROOT, default the working folder. */
  dataRoot: string;
  /** Folder of the local run store, and in any case of what only this machine needs; SLUICE_RUN_STORE, default `.sluice/runs` under the data root. */
  runStoreRoot: string;
  /** A run store that several machines share; SLUICE_RUN_STORE as `postgres://user@host:port/database`, without password. */
  runStoreUrl: string | null;
  /** Hosts with private addresses that datasets may come from over HTTP; SLUICE_PRIVATE_HOSTS, names or addresses with commas between, default none. */
  privateHosts: readonly string[];
  /** A worker that is silent for this long is lost; SLUICE_HEARTBEAT_TIMEOUT, 3s to 10m, default 30s. */
  heartbeatTimeoutMs: number;
  /** A row open for this long counts as parked; SLUICE_PARKED_AFTER, 1s to 10m, default 30s. */
  parkedAfterMs: number;
  /** A row joins its shared call again after hearing nothing for this long; SLUICE_JOIN_AGAIN, 1s to 1h, default 5m. */
  joinAgainMs: number;
  /** Without the server nothing is sent after this long; SLUICE_LEASE_TTL, 3s to 1m, default 10s. */
  leaseTtlMs: number;
  /** Most rows of a page; SLUICE_PAGE_ROWS, 1 to 250, default 250. */
  pageRows: number;
  /** Most pages of a section; SLUICE_SECTION_PAGES, 2 to 200, default 200. */
  sectionPages: number;
  /** Workflows kept in memory; SLUICE_CACHED_WORKFLOWS, 10 to 100,000. */
  cachedWorkflows: number;
  /** Least level that is logged, of row programs and tools too; SLUICE_LOG_LEVEL, one of LOG_LEVELS, default INFO. */
  logLevel: (typeof LOG_LEVELS)[number];
  /** Where metrics can be read in the Prometheus format; SLUICE_METRICS, `host:port`, default nowhere. */
  metricsAddress: string | null;
  /** For crash tests only: end the process when this point is reached; SLUICE_CRASH_AT, `<point>` or `<point>:<nth time>`. */
  crashAt: { point: CrashPoint; nth: number } | null;
}

/** Thrown with every problem of the settings. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`CONFIG_INVALID: ${problems.join('\n')}\n(docs/errors.md#config_invalid)`);
  }
}

export type Environment = { readonly [name: string]: string | undefined };

const CACHED_WORKFLOWS = { least: 10, most: 100_000, usual: 600 };

/** A URL in the environment is shown by many tools: the password comes by one of the ways that all clients of PostgreSQL know. */
function runStoreUrlProblems(text: string): string[] {
  const expected = 'expected a folder or postgres://user@host:port/database';
  if (!URL.canParse(text)) return [`SLUICE_RUN_STORE is no URL; ${expected}`];
  const { protocol, password, searchParams } = new URL(text);
  if (password !== '' || searchParams.has('password')) {
    return ['SLUICE_RUN_STORE holds a password; leave it out and set PGPASSWORD, or PGPASSFILE to a file of passwords'];
  }
  return /^postgres(ql)?:$/.test(protocol) ? [] : [`SLUICE_RUN_STORE starts with ${protocol}//; ${expected}`];
}

/** Reads the settings. Throws a {@link ConfigError}. */
export function readConfig(environment: Environment, workingFolder: string): WorkerConfig {
  const problems: string[] = [];

  function duration(name: string, minMs: number, maxMs: number, usualMs: number): number {
    const text = environment[name];
    if (text === undefined || text === '') return usualMs;
    const problem = durationProblem(text, { minMs, maxMs });
    if (problem === null) return parseDuration(text);
    problems.push(`${name}=${text}: ${problem}`);
    return usualMs;
  }
  function count(name: string, { least, most, usual }: typeof CACHED_WORKFLOWS): number {
    const text = environment[name];
    if (text === undefined || text === '') return usual;
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    problems.push(`${name}=${text}: expected a whole number from ${least} to ${most}`);
    return usual;
  }
  function logLevel(): WorkerConfig['logLevel'] {
    const text = environment.SLUICE_LOG_LEVEL;
    if (text === undefined || text === '') return 'INFO';
    const level = LOG_LEVELS.find((one) => one === text);
    if (level) return level;
    problems.push(`SLUICE_LOG_LEVEL=${text}: expected one of ${LOG_LEVELS.join(', ')}`);
    return 'INFO';
  }
  function metricsAddress(): string | null {
    const text = environment.SLUICE_METRICS ?? '';
    if (text === '') return null;
    const port = Number(/^[^\s:/]+:(\d{1,5})$/.exec(text)?.[1]);
    if (port >= 1 && port <= 65_535) return text;
    problems.push(`SLUICE_METRICS=${text}: expected host:port, such as 127.0.0.1:9464`);
    return null;
  }
  function crashPoint(): WorkerConfig['crashAt'] {
    const text = environment.SLUICE_CRASH_AT;
    if (text === undefined || text === '') return null;
    const [name, nth = '1'] = text.split(':');
    const point = CRASH_POINTS.find((one) => one === name);
    if (point && /^[1-9]\d*$/.test(nth)) return { point, nth: Number(nth) };
    problems.push(`SLUICE_CRASH_AT=${text}: expected one of ${CRASH_POINTS.join(', ')}, optionally with :n`);
    return null;
  }

  const store = environment.SLUICE_RUN_STORE ?? '';
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(store);
  if (isUrl) problems.push(...runStoreUrlProblems(store));
  const dataRoot = resolve(workingFolder, environment.SLUICE_DATA_ROOT ?? '.');
  const config: WorkerConfig = {
    providersFolder: resolve(workingFolder, environment.SLUICE_PROVIDERS ?? 'providers'),
    dataRoot,
    runStoreRoot: resolve(dataRoot, isUrl || store === '' ? '.sluice/runs' : store),
    runStoreUrl: isUrl ? store : null,
    privateHosts: (environment.SLUICE_PRIVATE_HOSTS ?? '').split(',').flatMap((host) => host.trim() || []),
    heartbeatTimeoutMs: duration('SLUICE_HEARTBEAT_TIMEOUT', 3000, 600_000, HEARTBEAT_TIMEOUT_MS),
    parkedAfterMs: duration('SLUICE_PARKED_AFTER', 1000, 600_000, PARKED_AFTER_MS),
    joinAgainMs: duration('SLUICE_JOIN_AGAIN', 1000, 3_600_000, JOIN_AGAIN_MS),
    leaseTtlMs: duration('SLUICE_LEASE_TTL', MIN_LEASE_TTL_MS, MAX_LEASE_TTL_MS, LEASE_TTL_MS),
    pageRows: count('SLUICE_PAGE_ROWS', { least: 1, most: PAGE_ROWS, usual: PAGE_ROWS }),
    sectionPages: count('SLUICE_SECTION_PAGES', { least: 2, most: SECTION_PAGES, usual: SECTION_PAGES }),
    cachedWorkflows: count('SLUICE_CACHED_WORKFLOWS', CACHED_WORKFLOWS),
    logLevel: logLevel(),
    metricsAddress: metricsAddress(),
    crashAt: crashPoint(),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Workflow tasks that run at the same time: they are CPU work, more of them than this only wait for each other. */
export const workflowTaskSlots = (): number => Math.max(20, cpus().length * 10);
