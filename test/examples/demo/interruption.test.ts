// The real demo, interrupted in the middle: its map is cancelled and nothing that it started runs on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { eventually } from '../../helpers/eventually';
import { testAddress } from '../../helpers/test-namespace';

const ROOT = join(__dirname, '..', '..', '..');

test('an interrupted demo leaves its map cancelled and no workflow running', async () => {
  const demo = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'examples', 'demo.ts')], {
    cwd: ROOT,
    env: { ...process.env, TEMPORAL_ADDRESS: testAddress() },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    demo.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (/ running · done [1-9]/.test(said)) resolve();
    });
    demo.once('exit', () => reject(new Error(`the demo ended: ${said}`)));
  });
  demo.kill('SIGINT');
  const [code] = await once(demo, 'exit');
  expect(code).toBe(130);
  expect(said).toMatch(/>>> companies-\w+ is cancelled\./);

  const [, namespace = '', mapId = ''] = said.match(/namespaces\/(demo-\w+)\/workflows\/(companies-\w+)/) ?? [];
  const connection = await Connection.connect({ address: testAddress() });
  const { workflow } = new Client({ connection, namespace });
  const { status } = await workflow.getHandle(mapId).describe();
  // The server lists what has ended a moment later.
  await eventually(
    () => workflow.count("ExecutionStatus = 'Running'"),
    ({ count }) => count === 0,
  );
  await connection.close();
  expect(status.name).toBe('CANCELLED');
}, 180_000);
