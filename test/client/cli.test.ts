// The executable in a process of its own, help and usage errors.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EXIT } from '../../client/exit-codes';
import { useTemporaryFolder } from '../helpers/temporary-folder';
import { sluice } from './fixtures/captured-shell';

const folder = useTemporaryFolder();
const VERBS = [
  'start',
  'watch',
  'status',
  'list',
  'pause',
  'resume',
  'cancel',
  'set-concurrency',
  'gate',
  'doctor',
  'spec',
];
const GATE_VERBS = ['list', 'status', 'pause', 'resume', 'set'].map((verb) => `gate ${verb}`);

/** Runs the executable from another folder, as npx does. */
const execute = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((settle) => {
    const command = [resolve(__dirname, '../../client/sluice.js'), ...args];
    execFile(process.execPath, command, { cwd: folder() }, (error, stdout, stderr) => {
      settle({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });

test('the executable prints a spec for the Temporal CLI, with paths from the folder of the file', async () => {
  const spec = { name: 'a', dataset: { rows: [] }, columns: [{ name: 'x', value: 1 }], output: { csv: 'out.csv' } };
  await writeFile(join(folder(), 'a.json'), JSON.stringify(spec));
  const { code, stdout, stderr } = await execute('spec', 'a.json', '--limit', '3');
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ ...spec, output: { csv: join(folder(), 'out.csv') }, limits: { rows: 3 } });
  expect(code).toBe(0);
});

test('the executable ends with the exit code of a usage error', async () => {
  const { code, stderr } = await execute('nonsense');
  expect(stderr).toContain("unknown command 'nonsense'");
  expect(code).toBe(2);
});

test.each([...VERBS, ...GATE_VERBS])(
  'the help of %s has examples, the connection flags and the exit codes',
  async (verb) => {
    const { exitCode, stdout } = await sluice([...verb.split(' '), '--help']);
    expect(stdout).toContain(`Examples:\n  sluice ${verb}`);
    for (const flag of ['--address', '--namespace', '--profile', '--json']) expect(stdout).toContain(flag);
    for (const code of Object.values(EXIT)) expect(stdout).toMatch(new RegExp(`^  ${code} `, 'm'));
    expect(exitCode).toBe(0);
  },
);

test('the general help names every verb', async () => {
  const { stdout } = await sluice(['--help']);
  for (const verb of VERBS) expect(stdout).toMatch(new RegExp(`^  ${verb} `, 'm'));
});

test.each([
  [['watch'], "missing required argument 'map'"],
  [['status', 'm', '--nope'], "unknown option '--nope'"],
  [['start', 'a.yaml', '--limit', '0'], 'Expected a whole number from 1'],
  [['gate', 'set', 'acme.default'], 'give --rate, --concurrency or --declared'],
  [['gate', 'set', 'acme.default', '--rate', '20'], 'Expected <limit>/<per>, such as 20/1s'],
  [['gate', 'set', 'acme.default', '--rate', '20/1s', '--rate', '9/1s'], 'Two limits for 1s'],
  [['gate', 'set', 'acme.default', '--rate', '20/900d'], 'expected a duration from 1ms to 400d'],
  [['gate', 'set', 'acme.default', '--concurrency', '10001'], 'Expected a whole number from 0 to 10000'],
  [['gate', 'set', 'acme.default', '--rate', '2/1s', '--declared', 'all'], 'exclude each other'],
  [['spec', 'nowhere.yaml'], 'nowhere.yaml does not exist'],
])('%j is bad input', async (args, message) => {
  const { exitCode, stderr } = await sluice(args, { cwd: folder() });
  expect(stderr).toContain(message);
  expect(exitCode).toBe(2);
});

test('with --json a usage error is a document too', async () => {
  const { exitCode, stdout, stderr } = await sluice(['status', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    error: { code: 'USAGE', message: "error: missing required argument 'map'", problems: [] },
  });
  expect(stderr).toContain("missing required argument 'map'");
  expect(exitCode).toBe(2);
});
