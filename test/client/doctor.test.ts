// `sluice doctor` against a real server, and what every verb says when the server or the namespace is not there.
import { startDevServer } from '../helpers/dev-server';
import { useTemporaryFolder } from '../helpers/temporary-folder';
import { openTestNamespace } from '../helpers/test-namespace';
import { sluice } from './fixtures/captured-shell';
import { environment, type StandIn, startStandIn, WORKER_IDENTITY } from './fixtures/stand-in-worker';

const folder = useTemporaryFolder();
let standIn: StandIn;

beforeAll(async () => {
  standIn = await startStandIn();
});
afterAll(() => standIn.close());

test('tells server, retention, workers with their providers, and that queues are shared fairly', async () => {
  const { exitCode, stdout } = await sluice(['doctor'], { env: standIn.env });
  expect(stdout).toMatch(/^OK {7}Temporal server \d+\.\d+\.\d+ answers at 127\.0\.0\.1:/);
  expect(stdout).toMatch(/WARNING {2}namespace "test-.*" keeps closed workflows, and with them receipts, for 1d 00h/);
  expect(stdout).toMatch(/OK {7}worker test-host pid 4711, last seen \d+s ago, serves acme\.default/);
  expect(stdout).toContain('OK       the server shares queues fairly between maps');
  expect(exitCode).toBe(0);
});

test('names the open map whose provider no live worker serves, and ends with exit code 1', async () => {
  const { workflow } = standIn.namespace.client;
  await workflow.start('datasetMap', { workflowId: 'june', taskQueue: 'sluice', args: [{ name: 'held' }] });
  while ((await workflow.count("WorkflowType = 'datasetMap'")).count === 0) await new Promise(setImmediate);
  const { exitCode, stdout } = await sluice(['doctor', '--json'], { env: standIn.env });
  const document = JSON.parse(stdout);
  expect(document).toMatchObject({ workers: [{ identity: WORKER_IDENTITY }], openMaps: [{ mapId: 'june' }] });
  expect(document.findings).toContainEqual(
    expect.objectContaining({ level: 'action', message: expect.stringContaining('map june uses beacon.default') }),
  );
  expect(exitCode).toBe(1);
});

test('the look at fair share leaves no workflow behind', async () => {
  const { workflow } = standIn.namespace.client;
  while ((await workflow.count("WorkflowType = 'sluiceDoctor'")).count > 0) await new Promise(setImmediate);
});

test('a server without the settings of fair share is found out', async () => {
  const server = await startDevServer({ extraArgs: ['--dynamic-config-value', 'matching.enableFairness=false'] });
  const { stdout } = await sluice(['doctor', '--address', server.address], {
    env: { TEMPORAL_CONFIG_FILE: '/nowhere' },
  });
  expect(stdout).toMatch(/WARNING {2}the server at 127\.0\.0\.1:\d+ gives calls out in their order/);
  await server.stop();
});

test('without a worker that is what needs action', async () => {
  const empty = await openTestNamespace();
  const { exitCode, stdout } = await sluice(['doctor'], { env: environment(empty) });
  expect(stdout).toContain(
    'ACTION   no worker polls task queue "sluice": maps that are started wait\n         fix: ./temporal-dev.sh worker',
  );
  expect(exitCode).toBe(1);
  await empty.close();
});

test('an unreachable server is named with its address and how to start one', async () => {
  const { exitCode, stderr, stdout } = await sluice(['doctor', '--address', '127.0.0.1:1', '--json'], {
    cwd: folder(),
  });
  expect(stderr).toMatch(/^SERVER_UNREACHABLE: no Temporal server answers at 127\.0\.0\.1:1 .*\.\/temporal-dev\.sh/);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'SERVER_UNREACHABLE' } });
  expect(exitCode).toBe(5);
});

test.each([['doctor'], ['status', 'm'], ['pause', 'm']])(
  '%s in a namespace that does not exist names those that do',
  async (...verb) => {
    const { exitCode, stderr } = await sluice([...verb, '--namespace', 'nope'], { env: standIn.env });
    expect(stderr).toMatch(/^NAMESPACE_NOT_FOUND: 127\.0\.0\.1:\d+ has no namespace "nope"; it has .*default/);
    expect(exitCode).toBe(5);
  },
);
