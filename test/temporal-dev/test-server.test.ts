// The server that tests start for themselves: crash and restart keep what was written, stop leaves nothing.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, type DevServer, startDevServer } from '../helpers/dev-server';
import { openTestNamespace } from '../helpers/test-namespace';

let server: DevServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

test('a workflow that was started before a SIGKILL is there after the restart, at the same address', async () => {
  server = await startDevServer();
  const before = await openTestNamespace(server.address);
  const started = await before.client.workflow.start('nobody-runs-this', { taskQueue: 'none', workflowId: 'kept' });
  await before.close();
  await server.kill();
  expect(await answers(server.address)).toBe(false);
  await server.restart();
  expect(await answers(server.address)).toBe(true);
  const after = await openTestNamespace(server.address);
  const kept = await after.connection.workflowService.describeWorkflowExecution({
    namespace: before.namespace,
    execution: { workflowId: 'kept' },
  });
  await after.close();
  expect(kept.workflowExecutionInfo?.execution?.runId).toBe(started.firstExecutionRunId);
});

test('a given database file stays after stop', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-database-'));
  server = await startDevServer({ dbFile: join(folder, 'kept.db') });
  await server.stop();
  expect(await readdir(folder)).toContain('kept.db');
  await rm(folder, { recursive: true });
});

test('a server that cannot start says why in its own words', async () => {
  await expect(startDevServer({ dbFile: '/nowhere/at/all.db' })).rejects.toThrow(
    /ended while starting:\n.*failed checking dir for database file/s,
  );
});

test('each opened namespace is a new one on the server of this run', async () => {
  const [one, two] = await Promise.all([openTestNamespace(), openTestNamespace()]);
  const handle = { taskQueue: 'none', workflowId: 'same id' };
  await one.client.workflow.start('nobody-runs-this', handle);
  await two.client.workflow.start('nobody-runs-this', handle);
  expect(one.namespace).not.toBe(two.namespace);
  await Promise.all([one.close(), two.close()]);
});
