// Starts a Temporal dev server as a child process, with the same settings as temporal-dev.sh, on a port of its own.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { freePort } from '../../scripts/ports.js';

const ROOT = resolve(__dirname, '../..');
const SETTINGS_FILES = ['dynamic-config.args', 'dynamic-config.test.args'];
const READY_TIMEOUT_MS = 30_000;
const POLL_MS = 50;
// By default gRPC waits a second after a refused connection, five times as long as the server needs to start.
const CHANNEL_ARGS = { 'grpc.initial_reconnect_backoff_ms': POLL_MS };
// Another process may take a free port, or one of the server's own inner ports, before the server listens.
const START_TRIES = 3;

export interface DevServerOptions {
  /** Database file, kept when the server stops. Without one the server gets a file in a temporary folder, removed by `stop`. */
  readonly dbFile?: string;
  /** Further flags of `temporal server start-dev`. */
  readonly extraArgs?: readonly string[];
}

export interface DevServer {
  /** `127.0.0.1:<port>`, the same after a restart. */
  readonly address: string;
  readonly namespace: string;
  /** Ends the server, in good order when it has a `dbFile`, and removes the temporary folder. Harmless when it has ended already. */
  stop(): Promise<void>;
  /** Ends the server with SIGKILL; the database stays, so that `restart` finds what was written. */
  kill(): Promise<void>;
  /** Stops the server's process without ending it, as if its host were cut off; `thaw` lets it run on. */
  freeze(): void;
  thaw(): void;
  /** Ends a running server in good order, then starts it again on the same port and database. */
  restart(): Promise<void>;
}

/** Path of the Temporal CLI, found or obtained in the order that temporal-dev.sh documents. Rejects with that script's message. */
export async function temporalCliPath(): Promise<string> {
  const { stdout } = await promisify(execFile)(join(ROOT, 'temporal-dev.sh'), ['--cli-path']);
  return stdout.trim();
}

/** Starts a server and resolves once its default namespace answers. Rejects with the server's own output when it ends early. */
export async function startDevServer(options: DevServerOptions = {}): Promise<DevServer> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-server-'));
  const cli = await temporalCliPath();
  const flags = [
    '--db-filename',
    options.dbFile ?? join(folder, 'temporal.db'),
    ...['--ip', '127.0.0.1', '--headless', '--log-level', 'warn', '--sqlite-pragma', 'journal_mode=WAL'],
    ...(await dynamicConfigFlags()),
    ...(options.extraArgs ?? []),
  ];
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  let { port, child } = await startOnFreePort(cli, flags).catch(async (error: unknown) => {
    await removeFolder();
    throw error;
  });
  const removeAtExit = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  return {
    address: `127.0.0.1:${port}`,
    namespace: 'default',
    stop: async () => {
      // A good end takes a second or two, which a database that is thrown away does not need.
      await end(child, options.dbFile === undefined ? 'SIGKILL' : 'SIGTERM');
      process.off('exit', removeAtExit);
      await removeFolder();
    },
    kill: () => end(child, 'SIGKILL'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    restart: async () => {
      await end(child, 'SIGTERM');
      child = await start(cli, port, flags);
    },
  };
}

async function dynamicConfigFlags(): Promise<string[]> {
  const texts = await Promise.all(SETTINGS_FILES.map((file) => readFile(join(ROOT, 'scripts', file), 'utf8')));
  const settings = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '' && !line.startsWith('#'));
  return settings.flatMap((setting) => ['--dynamic-config-value', setting]);
}

async function startOnFreePort(cli: string, flags: readonly string[]): Promise<{ port: number; child: ChildProcess }> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    try {
      return { port, child: await start(cli, port, flags) };
    } catch (error) {
      if (tries === START_TRIES) throw error;
    }
  }
}

async function start(cli: string, port: number, flags: readonly string[]): Promise<ChildProcess> {
  const child = spawn(cli, ['server', 'start-dev', '--port', String(port), ...flags], {
    env: { ...process.env, GOGC: '400' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-10_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  // A server that a test forgot must not keep its process open, nor outlive it.
  const endWithParent = () => child.kill('SIGKILL');
  process.once('exit', endWithParent);
  child.once('exit', () => process.off('exit', endWithParent));
  child.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref();

  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await answers(`127.0.0.1:${port}`))) {
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (ended || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`dev server on port ${port} ${ended ? 'ended' : 'did not answer'} while starting:\n${output}`);
    }
    await sleep(POLL_MS);
  }
  return child;
}

/** True when a Temporal server answers for the default namespace at this address. */
export async function answers(address: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: 1_000, channelArgs: CHANNEL_ARGS });
    await connection.workflowService.describeNamespace({ namespace: 'default' });
    return true;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  await new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill(signal);
  });
}
