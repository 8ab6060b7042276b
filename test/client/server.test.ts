// A server that goes away while a map is watched: the watcher waits for it, since the map is safe in its database.
import { Client, Connection } from '@temporalio/client';
import { runCommandLine } from '../../client/cli';
import { startDevServer } from '../helpers/dev-server';
import { capturedShell } from './fixtures/captured-shell';

test('watch outlives a restart of the server', async () => {
  const server = await startDevServer();
  const connection = await Connection.connect({ address: server.address });
  const { workflow } = new Client({ connection });
  const handle = await workflow.start('datasetMap', { workflowId: 'm', taskQueue: 'sluice', args: [{ name: 'held' }] });

  const shell = capturedShell({ env: { TEMPORAL_CONFIG_FILE: '/nowhere' } });
  const ended = runCommandLine(['watch', 'm', '--address', server.address], shell);
  await shell.printed(/no worker polls task queue "sluice"/);
  await server.kill();
  await shell.printed(/the server at 127\.0\.0\.1:\d+ does not answer; the map is safe there, trying again/);
  await server.restart();
  await handle.terminate();

  expect(await ended).toBe(1);
  expect(shell.stdout()).toContain('map m was stopped from outside (terminated)');
  await connection.close();
  await server.stop();
}, 120_000); // starts a server of its own, twice
