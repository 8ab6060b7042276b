// demo, worker, sluice and wrong arguments: what is started, what is passed on, what is left behind (nothing).
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { freePort } from '../../scripts/ports.js';
import { answers, type DevServer, startDevServer, temporalCliPath } from '../helpers/dev-server';
import { Sandbox } from './sandbox';

const MODULES = resolve(__dirname, '../../node_modules');

let machine: Sandbox;
let port: number;
let server: DevServer | undefined;

beforeEach(async () => {
  machine = await Sandbox.create();
  await machine.link('temporal', await temporalCliPath());
  await symlink(MODULES, machine.path('node_modules'));
  port = await freePort();
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  await machine.remove();
});

const address = () => `127.0.0.1:${port}`;
const demo = () => machine.start(['demo', '--port', String(port)]);

/** A demo that starts a child as the real one starts a worker, tells both pids, and ends as told. */
const demoScript = (end: string) => `
import { spawn } from 'node:child_process';
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
console.log(JSON.stringify({ pids: [process.pid, child.pid], address: process.env.TEMPORAL_ADDRESS, key: process.env.TEMPORAL_API_KEY }));
${end}
`;

/** The pids that the demo told are those of no living process; one that only waits to be collected has state Z. */
function expectGone(stdout: string): void {
  const { pids } = JSON.parse(stdout) as { pids: number[] };
  const { stdout: states } = spawnSync('ps', ['-o', 'stat=', '-p', pids.join(',')], { encoding: 'utf8' });
  expect(states.split('\n').filter((state) => state !== '' && !state.startsWith('Z'))).toEqual([]);
}

test('demo starts a server when none answers, passes the exit status on, and ends everything', async () => {
  await machine.write('examples/demo.ts', demoScript('process.exit(7);'));
  machine.env.TEMPORAL_API_KEY = 'a key of another server';
  const { status, stdout } = await demo().finished;
  expect(status).toBe(7);
  expect(JSON.parse(stdout)).toEqual({ pids: expect.any(Array), address: address() });
  expectGone(stdout);
  expect(await answers(address())).toBe(false);
});

test('demo uses a server that answers, and leaves it running', async () => {
  server = await startDevServer();
  port = Number(server.address.split(':')[1]);
  await machine.write('examples/demo.ts', demoScript('process.exit(0);'));
  const { status, stdout, stderr } = await demo().finished;
  expect({ status, used: stderr.includes(`using the server that answers on ${address()}`) }).toEqual({
    status: 0,
    used: true,
  });
  expectGone(stdout);
  expect(await answers(address())).toBe(true);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('demo that gets %s ends what it started and exits with %d', async (signal, expected) => {
  await machine.write('examples/demo.ts', demoScript('setInterval(() => {}, 1000);'));
  const running = demo();
  await running.printed(/pids/);
  expect(await answers(address())).toBe(true);
  running.child.kill(signal);
  const { status, stdout } = await running.finished;
  expect(status).toBe(expected);
  expectGone(stdout);
  expect(await answers(address())).toBe(false);
});

test('demo installs what package-lock.json names and is missing', async () => {
  const lock = {
    name: 'demo',
    lockfileVersion: 3,
    packages: {
      '': { name: 'demo', dependencies: { local: 'file:local' } },
      local: { version: '1.0.0' },
      'node_modules/local': { resolved: 'local', link: true },
    },
  };
  await machine.write('package.json', JSON.stringify({ name: 'demo', dependencies: { local: 'file:local' } }));
  await machine.write('package-lock.json', JSON.stringify(lock));
  await machine.write('local/package.json', JSON.stringify({ name: 'local', version: '1.0.0' }));
  await machine.write('worker/sluice-worker.js', '');
  await machine.link('npm', resolve(process.execPath, '../npm'));
  machine.env.npm_config_ignore_scripts = 'true';
  // A fresh folder: npm must not touch the linked one.
  await machine.unlink('node_modules');
  const { stderr } = await machine.run(['sluice']);
  expect(stderr).toContain('installing dependencies (local is missing or has another version)');
  expect(JSON.parse(await readFile(machine.path('node_modules/local/package.json'), 'utf8')).name).toBe('local');
});

const echo = 'console.log(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd() })); process.exit(5);';

test.each([
  ['worker', 'worker/sluice-worker.js'],
  ['sluice', 'client/sluice.js'],
])('%s runs in the caller’s folder with the caller’s arguments and gives its status back', async (verb, file) => {
  await machine.write(file, echo);
  await mkdir(machine.path('my data'));
  const { status, stdout } = await machine.run([verb, 'start', 'a b.yaml', '--json'], { cwd: machine.path('my data') });
  expect(status).toBe(5);
  expect(JSON.parse(stdout)).toEqual({ args: ['start', 'a b.yaml', '--json'], cwd: machine.path('my data') });
});

test.each(['worker', 'sluice'])(
  '%s finds the server of a port before the verb, of SLUICE_PORT, or of TEMPORAL_ADDRESS, in this order',
  async (verb) => {
    const tell = 'console.log(process.env.TEMPORAL_ADDRESS, process.argv.length - 2);';
    await machine.write(verb === 'worker' ? 'worker/sluice-worker.js' : 'client/sluice.js', tell);
    const told = async (...args: string[]) => (await machine.run([...args, verb])).stdout.trim();
    expect(await told()).toBe('undefined 0');
    machine.env.SLUICE_PORT = '7301';
    expect(await told()).toBe('127.0.0.1:7301 0');
    machine.env.TEMPORAL_ADDRESS = 'temporal.example:7233';
    expect(await told()).toBe('temporal.example:7233 0');
    expect(await told('--port', '7302')).toBe('127.0.0.1:7302 0');
    expect(await machine.run(['--port', 'http', verb])).toMatchObject({ status: 2, stdout: '' });
  },
);

test('a failed npm ci says what it needs, and so does a machine without npm', async () => {
  await machine.write(
    'package-lock.json',
    JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/gone': { version: '1.0.0' } } }),
  );
  expect((await machine.run(['sluice'])).stderr).toContain('npm is not installed: it comes with Node');
  await machine.write(
    'bin/npm',
    '#!/bin/sh\nif [ "$1" = config ]; then echo https://registry.example/; else echo ENOTFOUND >&2; exit 1; fi\n',
  );
  const { status, stderr } = await machine.run(['sluice']);
  expect(status).toBe(1);
  expect(stderr).toContain('ENOTFOUND');
  expect(stderr).toContain(
    'It needs the npm registry, https://registry.example/. Without a way to it: set HTTPS_PROXY',
  );
});

test('an unknown verb or option is refused with status 2', async () => {
  expect(await machine.run(['demonstrate'])).toMatchObject({
    status: 2,
    stderr: 'sluice: unknown verb demonstrate. See ./temporal-dev.sh --help.\n',
  });
  expect((await machine.run(['demo', '--fast'])).stderr).toContain('unknown argument --fast');
});

test('--help names every verb', async () => {
  const { status, stdout } = await machine.run(['--help']);
  expect(status).toBe(0);
  for (const word of ['demo', 'test', 'worker', 'sluice', '--which', '--cli-path', '--port N']) {
    expect(stdout).toContain(word);
  }
});

test('an old Node is refused by name', async () => {
  await machine.write('bin/node', '#!/bin/sh\nif [ "$1" = --version ]; then echo v18.19.0; else exit 1; fi\n');
  expect(await machine.run(['sluice'])).toMatchObject({
    status: 1,
    stderr: 'sluice: Node v18.19.0 is too old: needs 20.19 or later\n',
  });
});
