// `npm run replay` against a real server: maps that ran, a workflow that this code never was, and bad flags.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { NativeConnection, Worker } from '@temporalio/worker';
import { WORKFLOW } from '../../contracts/names';
import { capturedShell } from '../client/fixtures/captured-shell';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';
import { runReplay } from './replay-server';

const ROOT = resolve(__dirname, '../..');
let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({ sim: { providers: { acme: {} } }, providers: { acme: {} } });
  await lab.worker();
  const map = await lab.start(
    { dataset: { rows: domainRows(2), key: 'domain' }, columns: [{ name: 'one', value: 1 }] },
    'kept',
  );
  await map.result();
});
afterAll(() => lab.close());

async function replay({ address, namespace }: Pick<MapLab, 'address' | 'namespace'>, ...args: string[]) {
  const shell = capturedShell();
  const exitCode = await runReplay(['--from', address, '--namespace', namespace, ...args], shell);
  return { exitCode, stdout: shell.stdout(), stderr: shell.stderr() };
}

/** The list of a server is complete a moment after its workflows. */
test('every workflow of a map that ran is replayed and told in a line', async () => {
  const { exitCode, stdout } = await eventually(
    () => replay(lab),
    ({ stdout }) => stdout.split('\n').length === 6,
  );
  expect(stdout.split('\n').sort()).toEqual([
    '',
    '4 passed, 0 failed',
    expect.stringMatching(/^passed kept [0-9a-f-]{36}$/),
    expect.stringMatching(/^passed kept\/p0 /),
    expect.stringMatching(/^passed kept\/r\/k:/),
    expect.stringMatching(/^passed kept\/r\/k:/),
  ]);
  expect(exitCode).toBe(0);
});

test('a query and a limit choose what is replayed', async () => {
  expect(await replay(lab, '--query', 'WorkflowId = "kept"', '--limit', '1')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^passed kept \S+\n1 passed, 0 failed\n$/),
  });
});

test('nothing to replay is said, with the query', async () => {
  expect(await replay(lab, '--query', 'WorkflowId = "nobody"')).toEqual({
    exitCode: 0,
    stdout: '0 passed, 0 failed\n',
    stderr: expect.stringContaining('(WorkflowId = "nobody") AND WorkflowType IN ("datasetMap"'),
  });
});

test('a history of other code fails, with what differs, and ends in exit code 1', async () => {
  const connection = await NativeConnection.connect({ address: lab.address });
  const other = await Worker.create({
    connection,
    namespace: lab.namespace,
    taskQueue: 'other',
    workflowsPath: require.resolve('../client/fixtures/stand-in-map'),
  });
  const map = { workflowId: 'other', taskQueue: 'other', args: [{ name: 'quick' }] };
  await other.runUntil(lab.client.workflow.execute(WORKFLOW.datasetMap, map));
  await connection.close();
  const { exitCode, stdout } = await eventually(
    () => replay(lab, '--query', 'WorkflowId = "other"'),
    ({ stdout }) => stdout.includes('other'),
  );
  expect(stdout).toMatch(/^FAILED other \S+: .*[Nn]ondeterminis.*\n0 passed, 1 failed\n$/);
  expect(exitCode).toBe(1);
});

test('an address where nobody answers is said, with exit code 5', async () => {
  const shell = capturedShell();
  expect(await runReplay(['--from', '127.0.0.1:1'], shell)).toBe(5);
  expect(shell.stderr()).toMatch(/^SERVER_UNREACHABLE/);
});

test.each([['--limit', '0'], ['--nothing']])('%s %s is refused with exit code 2', async (...args) => {
  expect((await replay(lab, ...args)).exitCode).toBe(2);
});

test('npm run replay takes its settings from the Temporal environment as well', async () => {
  const environment = { ...process.env, TEMPORAL_ADDRESS: lab.address, TEMPORAL_NAMESPACE: lab.namespace };
  const { stdout } = await promisify(execFile)(
    'npm',
    ['run', '--silent', 'replay', '--', '--query', 'WorkflowId = "kept"'],
    {
      cwd: ROOT,
      env: environment,
    },
  );
  expect(stdout).toMatch(/^passed kept \S+\n1 passed, 0 failed\n$/);
});
