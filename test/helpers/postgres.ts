// A real PostgreSQL for one test file: its own data folder and port, 127.0.0.1 only, as an ordinary user.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../../scripts/ports.js';

const READY_TIMEOUT_MS = 60_000;
const DEBIAN_FOLDER = '/usr/lib/postgresql';

export interface PostgresServer {
  port: number;
  /** `postgres://sluice@127.0.0.1:<port>/<database>` */
  url(database: string): string;
  /** Creates an empty database of this name. */
  createDatabase(name: string): Promise<void>;
  /** Ends the server at once, as a power cut does; `start` brings it back on the same port and data. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Folder of initdb and postgres: PATH first, then the newest Debian package; null when there is none. */
function binaryFolder(): string | null {
  const debian = existsSync(DEBIAN_FOLDER)
    ? readdirSync(DEBIAN_FOLDER)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(DEBIAN_FOLDER, version, 'bin'))
    : [];
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...debian];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))) ?? null;
}

/** PostgreSQL refuses to run as root: another user is taken then. Undefined: this process is an ordinary user itself. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string, user: string) => spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout.trim();
  const user = idOf('-u', 'postgres') === '' ? 'nobody' : 'postgres';
  return { uid: Number(idOf('-u', user)), gid: Number(idOf('-g', user)) };
}

const binaries = binaryFolder();

/** `describe` with a server, started once for its tests; without PostgreSQL on this machine its tests are skipped and the reason is printed. */
export function describeWithPostgres(name: string, tests: (server: () => PostgresServer) => void): void {
  if (binaries === null) {
    process.stderr.write(
      `SKIPPED: ${name}: no PostgreSQL on this machine; looked for initdb in PATH and ${DEBIAN_FOLDER}/*/bin (apt-get install postgresql)\n`,
    );
    describe.skip(name, () => tests(() => undefined as never));
    return;
  }
  const folder = binaries;
  describe(name, () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres(folder);
    });
    afterAll(() => server?.stop());
    tests(() => server);
  });
}

async function startPostgres(bin: string): Promise<PostgresServer> {
  const user = ordinaryUser();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-postgres-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = ['-D', data, '-U', 'sluice', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  execFileSync(join(bin, 'initdb'), options, { ...user, stdio: 'pipe', cwd: folder });
  const port = await freePort();
  const url = (database: string) => `postgres://sluice@127.0.0.1:${port}/${database}`;
  let child: ChildProcess | null = null;

  const query = async (sql: string) => {
    const client = new Client({ connectionString: url('postgres') });
    try {
      await client.connect();
      await client.query(sql);
    } finally {
      await client.end();
    }
  };

  async function start(): Promise<void> {
    const flags = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-c', 'fsync=off'];
    const started = spawn(join(bin, 'postgres'), flags, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    let output = '';
    started.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
    });
    const endWithParent = () => started.kill('SIGQUIT');
    process.once('exit', endWithParent);
    started.once('exit', () => process.off('exit', endWithParent));
    for (const deadline = Date.now() + READY_TIMEOUT_MS; ; await sleep(50)) {
      const ready = await query('select 1').then(
        () => true,
        () => false,
      );
      if (ready) return;
      if (started.exitCode !== null || Date.now() > deadline) throw new Error(`PostgreSQL does not start:\n${output}`);
    }
  }

  /** SIGQUIT: immediate shutdown, the next start recovers. SIGKILL would leave the children of the server. */
  async function end(signal: 'SIGQUIT' | 'SIGINT'): Promise<void> {
    const ending = child;
    child = null;
    if (!ending || ending.exitCode !== null) return;
    await new Promise((resolve) => {
      ending.once('exit', resolve);
      ending.kill(signal);
    });
  }

  await start();
  return {
    port,
    url,
    createDatabase: (name) => query(`create database ${name}`),
    kill: () => end('SIGQUIT'),
    start,
    async stop() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
