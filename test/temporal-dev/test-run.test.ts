// `test` and .ci/run: a server of their own, the checks in order, and "N passed, N failed" as the last line whatever happens.
import { readdirSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { answers, temporalCliPath } from '../helpers/dev-server';
import { type Finished, Sandbox } from './sandbox';

const ROOT = resolve(__dirname, '../..');
const REPORTER = resolve(ROOT, 'test/helpers/totals-reporter.js');

let machine: Sandbox;

beforeEach(async () => {
  machine = await Sandbox.create();
  await machine.link('temporal', await temporalCliPath());
  await machine.link('npm', resolve(process.execPath, '../npm'));
  await symlink(resolve(ROOT, 'node_modules'), machine.path('node_modules'));
  await machine.write(
    'jest.config.js',
    `module.exports = { testMatch: ['<rootDir>/*.check.js'], reporters: ['default', ${JSON.stringify(REPORTER)}] };`,
  );
  await check('jest');
});

afterEach(() => machine.remove());

const check = (command: string) =>
  machine.write('package.json', JSON.stringify({ name: 'checked', private: true, scripts: { check: command } }));

/** Writes a test file whose tests have these outcomes; each prints the address of its server. */
const tests = (name: string, outcomes: readonly boolean[]) =>
  machine.write(
    `${name}.check.js`,
    outcomes
      .map(
        (good, index) =>
          `test('${index}', () => { console.log('at', process.env.SLUICE_TEST_ADDRESS); expect(${good}).toBe(true); });`,
      )
      .join('\n'),
  );

async function expectServerGone({ stdout, stderr }: Finished): Promise<void> {
  const address = /at (127\.0\.0\.1:\d+)/.exec(stdout + stderr)?.[1];
  if (address === undefined) throw new Error(`no test printed its server:\n${stdout}${stderr}`);
  expect(await answers(address)).toBe(false);
  expect(readdirSync(machine.path('tmp')).filter((name) => name.startsWith('sluice'))).toEqual([]);
  expect(readdirSync(machine.root)).not.toContain('.sluice');
}

test('a good run ends in its totals, with status 0 and nothing left', async () => {
  await tests('good', [true, true]);
  const finished = await machine.run(['test']);
  expect(finished).toMatchObject({ status: 0, lastLine: '2 passed, 0 failed' });
  await expectServerGone(finished);
});

test('a failing test and a file that cannot be loaded both count as failed', async () => {
  await tests('mixed', [true, false, true]);
  await machine.write('broken.check.js', 'syntax error');
  const finished = await machine.run(['test']);
  expect(finished).toMatchObject({ status: 1, lastLine: '2 passed, 2 failed' });
  await expectServerGone(finished);
});

test('a check that fails before the tests fails the run and is said', async () => {
  await check('echo lint is unhappy && exit 3');
  const finished = await machine.run(['test']);
  expect(finished).toMatchObject({ status: 3, lastLine: '0 passed, 1 failed' });
  expect(finished.stdout).toContain('lint is unhappy');
  expect(finished.stderr).toContain('a check before the tests failed, see above');
});

test('a check that fails after good tests does not end in "0 failed"', async () => {
  await tests('good', [true]);
  await check('jest && exit 4');
  expect(await machine.run(['test'])).toMatchObject({ status: 4, lastLine: '1 passed, 1 failed' });
});

test('arguments go to jest, and the other checks are left out', async () => {
  await tests('one', [true]);
  await tests('two', [true, true]);
  await check('exit 1');
  expect(await machine.run(['test', 'two.check'])).toMatchObject({ status: 0, lastLine: '2 passed, 0 failed' });
});

test('a run that is stopped ends the tests and the server, and still prints its totals', async () => {
  await machine.write(
    'slow.check.js',
    `test('slow', () => { process.stdout.write('at ' + process.env.SLUICE_TEST_ADDRESS + '\\n'); return new Promise(() => {}); }, 60000);`,
  );
  const running = machine.start(['test']);
  await running.printed(/at 127/);
  running.child.kill('SIGTERM');
  const finished = await running.finished;
  expect(finished).toMatchObject({ status: 143, lastLine: '0 passed, 1 failed' });
  await expectServerGone(finished);
});

test('a machine without a CLI and without Go fails with the totals as its last line', async () => {
  await machine.unlink('bin/temporal');
  machine.env.SLUICE_CLI_DOWNLOAD_BASE = 'http://127.0.0.1:9';
  expect(await machine.run(['test'])).toMatchObject({ status: 1, lastLine: '0 passed, 1 failed' });
});

test('.ci/run does the same without HOME, from any folder', async () => {
  await tests('good', [true]);
  delete machine.env.HOME;
  const finished = await machine.run([], { script: '.ci/run', cwd: '/' });
  expect(finished).toMatchObject({ status: 0, lastLine: '1 passed, 0 failed' });
});
