// `sluice list`: maps that run and maps that ended, with their states and rows.
import { sluice } from './fixtures/captured-shell';
import { type StandIn, startStandIn } from './fixtures/stand-in-worker';

let standIn: StandIn;

beforeAll(async () => {
  standIn = await startStandIn();
  const { workflow } = standIn.namespace.client;
  for (const name of ['held', 'quick', 'flawed', 'refused']) {
    const map = await workflow.start('datasetMap', { workflowId: name, taskQueue: 'sluice', args: [{ name }] });
    // The server lists those first that ended last: each ends before the next one starts.
    if (name !== 'held') await map.result().catch(() => undefined);
  }
  const ended = "WorkflowType = 'datasetMap' AND ExecutionStatus != 'Running'";
  while ((await workflow.count(ended)).count < 3) await new Promise(setImmediate);
});
afterAll(() => standIn.close());

const list = (...args: string[]) => sluice(['list', ...args], { env: standIn.env });

test('each map has its state and its rows, the latest first', async () => {
  const { stdout, exitCode } = await list();
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['map', 'refused', 'flawed', 'quick', 'held']);
  expect(lines[1]).toMatch(/^refused +failed INVALID_SPEC +\d\d:\d\d:\d\d$/);
  expect(lines[2]).toMatch(/^flawed +completed +\S+ +done 4 · missed 0 · failed 1 · unknown 0 · of 5$/);
  expect(lines[4]).toMatch(/^held +running .* of 5$/);
  expect(exitCode).toBe(0);
});

test('--status and --limit choose, --json tells the same', async () => {
  const { maps } = JSON.parse((await list('--status', 'completed', '--limit', '1', '--json')).stdout);
  expect(maps).toMatchObject([{ mapId: 'flawed', status: 'completed', rows: { done: 4, failed: 1 }, total: 5 }]);
});
