// The dev server in the foreground: what it is started with, what it refuses, how it ends. Real servers on free ports.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Connection } from '@temporalio/client';
import { freePort } from '../../scripts/ports.js';
import { answers, type DevServer, startDevServer, temporalCliPath } from '../helpers/dev-server';
import { fakeCli, type Running, Sandbox } from './sandbox';

const UI_OFFSET = 1_000;

let machine: Sandbox;
let running: Running | undefined;
let port: number;

beforeEach(async () => {
  machine = await Sandbox.create();
  await machine.link('temporal', await temporalCliPath());
  port = await freePort();
});

afterEach(async () => {
  running?.child.kill('SIGTERM');
  await running?.finished;
  running = undefined;
  await machine.remove();
});

async function serve(...args: string[]): Promise<Running> {
  running = machine.start(['--port', String(port), ...args]);
  await running.printed(/Ctrl-C stops it/);
  return running;
}

const serverPid = () => Number(readFileSync(machine.path('.sluice/temporal.db.pid'), 'utf8'));

/** Flags of a running server that do not depend on ports and files, sorted. */
function settingsOf(pid: number): string[] {
  const flags = execFileSync('ps', ['-ww', '-p', String(pid), '-o', 'args='], { encoding: 'utf8' }).trim();
  return (flags.match(/--(dynamic-config-value|sqlite-pragma|ip|log-level) \S+/g) ?? []).sort();
}

/** Holds a port of 127.0.0.1 until the returned function is called. */
async function hold(taken: number): Promise<() => void> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(taken, '127.0.0.1', listening));
  return () => server.close();
}

test('prints its addresses, keeps history for 30 days, and writes a WAL database under .sluice', async () => {
  const { finished, child } = await serve();
  const connection = await Connection.connect({ address: `127.0.0.1:${port}` });
  const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' });
  await connection.close();
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 3_600);
  // Bytes 18 and 19 of an SQLite file are 2 in WAL mode.
  expect([...readFileSync(machine.path('.sluice/temporal.db')).subarray(18, 20)]).toEqual([2, 2]);
  const ui = await fetch(`http://127.0.0.1:${port + UI_OFFSET}`);
  expect(ui.status).toBe(200);
  child.kill('SIGTERM');
  const { stdout } = await finished;
  expect(stdout).toContain(`server    127.0.0.1:${port}, namespace default, history kept for 720h\n`);
  expect(stdout).toContain(`UI        http://127.0.0.1:${port + UI_OFFSET}\n`);
});

test('takes its port from SLUICE_PORT', async () => {
  machine.env.SLUICE_PORT = String(port);
  running = machine.start([]);
  await running.printed(/Ctrl-C stops it/);
  expect(await answers(`127.0.0.1:${port}`)).toBe(true);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('ends the server on %s and exits with %d', async (signal, status) => {
  const { child, finished } = await serve();
  const pid = serverPid();
  child.kill(signal);
  expect((await finished).status).toBe(status);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  // The same port and database can be used again at once.
  await serve();
});

test('is refused when its port or its UI port is taken, naming the port, its owner and another choice', async () => {
  for (const taken of [port, port + UI_OFFSET]) {
    const release = await hold(taken);
    const { status, stderr } = await machine.run(['--port', String(port)]);
    release();
    expect(status).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`port ${taken} on 127\\.0\\.0\\.1 is taken by (process ${process.pid} |a process)`),
    );
    expect(stderr).toContain('choose another port: --port N or SLUICE_PORT=N');
  }
});

test('is refused on a second port while another server has the database open', async () => {
  await serve();
  const { status, stderr } = await machine.run(['--port', String(await freePort())]);
  expect(status).toBe(1);
  expect(stderr).toContain(
    `process ${serverPid()} already runs a dev server on ${machine.path('.sluice/temporal.db')}`,
  );
});

test('says of a damaged database what is lost and how to start again, and that works', async () => {
  await machine.write('.sluice/temporal.db', 'this is no database\n'.repeat(100));
  const { status, stderr } = await machine.run(['--port', String(port)]);
  const folder = machine.path('.sluice');
  expect(status).toBe(1);
  expect(stderr).toContain('file is not a database');
  expect(stderr).toContain(`The database ${folder}/temporal.db is damaged, and its maps are lost with it.`);
  const advice = `mkdir "${folder}/damaged" && mv "${folder}/temporal.db"* "${folder}/damaged/"`;
  expect(stderr).toContain(advice);
  execFileSync('/bin/sh', ['-c', advice]);
  await serve();
});

test.each([
  ['database is locked (5) (SQLITE_BUSY)', 'Another process has the database'],
  ['attempt to write a readonly database', 'cannot be written; to see why: ls -la'],
])('says of "%s" what to do', async (said, advice) => {
  await machine.write(
    'bin/temporal',
    `${fakeCli('1.5.1')}case $1 in server) echo "${said}" >&2; exit 1 ;; *) [ "$1" = --version ] ;; esac\n`,
  );
  const { status, stderr } = await machine.run(['--port', String(port)]);
  expect(status).toBe(1);
  expect(stderr).toContain(advice);
});

test('on another port than usual it says how the other terminals find it', async () => {
  await serve();
  running?.child.kill('SIGTERM');
  expect((await running?.finished)?.stdout).toContain(`in other terminals: export SLUICE_PORT=${port}\n`);
});

test('says so when the server ends by itself', async () => {
  const { finished } = await serve();
  process.kill(serverPid(), 'SIGKILL');
  const { status, stderr } = await finished;
  expect(status).toBe(1);
  expect(stderr).toContain('the dev server ended by itself');
});

test.each(['0', '65000', '99999999', 'http', ''])('refuses the port "%s"', async (bad) => {
  const { status, stderr } = await machine.run(['--port', bad]);
  expect(status).toBe(2);
  expect(stderr).toContain('is not a number from 1 to 64535');
});

test('has the settings that the test helper gives its servers', async () => {
  await serve('--test');
  const helper: DevServer = await startDevServer();
  const [, helperPort] = helper.address.split(':');
  const pids = execFileSync('ps', ['-ww', '-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  const line = pids.find((one) => one.includes(`start-dev --port ${helperPort} `));
  const expected = settingsOf(Number.parseInt(line ?? '', 10));
  await helper.stop();
  expect(settingsOf(serverPid())).toEqual(expected);
  expect(expected).toEqual([
    '--dynamic-config-value history.workflowIdReuseMinimalInterval=0',
    '--dynamic-config-value matching.enableFairness=true',
    '--dynamic-config-value matching.numTaskqueueReadPartitions=1',
    '--dynamic-config-value matching.numTaskqueueWritePartitions=1',
    '--dynamic-config-value matching.useNewMatcher=true',
    '--ip 127.0.0.1',
    '--log-level warn',
    '--sqlite-pragma journal_mode=WAL',
  ]);
});
