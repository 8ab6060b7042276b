// pause, resume, cancel and set-concurrency against a real server: each sends its signal and confirms what the map does.
import { openTestNamespace } from '../helpers/test-namespace';
import { sluice } from './fixtures/captured-shell';
import { environment, type StandIn, startStandIn } from './fixtures/stand-in-worker';

let standIn: StandIn;

beforeAll(async () => {
  standIn = await startStandIn();
});
afterAll(() => standIn.close());

const startMap = (workflowId: string, name = 'held', client = standIn.namespace.client) =>
  client.workflow.start('datasetMap', { workflowId, taskQueue: 'sluice', args: [{ name }] });

const run = (...args: string[]) => sluice(args, { env: standIn.env });

test('pause and resume tell the state that the map is in afterwards', async () => {
  await startMap('m');
  expect(await run('pause', 'm')).toMatchObject({ exitCode: 0, stdout: 'm is paused; go on with: sluice resume m\n' });
  const resumed = await run('resume', 'm', '--json');
  expect(JSON.parse(resumed.stdout)).toMatchObject({ mapId: 'm', order: 'resume', obeyed: true, state: 'running' });
});

test('set-concurrency changes only what it was given', async () => {
  await startMap('c');
  await run('set-concurrency', 'c', '--rows', '3');
  const { stdout } = await run('set-concurrency', 'c', '--parked', '0', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ obeyed: true, concurrency: { rows: 3, parkedRows: 0 } });
});

test.each([
  [[], 'give --rows, --parked, or both'],
  [['--rows', '0'], 'Expected a whole number from 1 to 2000'],
  [['--parked', 'many'], 'Expected a whole number from 0 to 20000'],
])('set-concurrency %j is refused as usage', async (flags, message) => {
  const { exitCode, stderr } = await run('set-concurrency', 'c', ...flags);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(2);
});

test('cancel sends the signal, and the map ends with a result', async () => {
  const handle = await startMap('s');
  expect((await run('cancel', 's')).stdout).toMatch(/^s (is cancelling|has ended: completed)/);
  expect(await handle.result()).toMatchObject({ status: 'cancelled' });
});

test("cancel --native uses the server's own cancel", async () => {
  const handle = await startMap('n');
  expect((await run('cancel', 'n', '--native', '--json')).exitCode).toBe(0);
  await expect(handle.result()).rejects.toThrow();
  expect((await handle.describe()).status.name).toBe('CANCELLED');
});

test.each(['pause', 'resume', 'cancel'])('%s of an unknown map and of an ended one are errors', async (verb) => {
  const unknown = await run(verb, 'nope');
  expect(unknown).toMatchObject({ exitCode: 6, stdout: '' });
  expect(unknown.stderr).toMatch(/^MAP_NOT_FOUND: there is no map nope/);
  await (await startMap(`ended-${verb}`, 'quick')).result();
  const ended = await run(verb, `ended-${verb}`);
  expect(ended.stderr).toMatch(
    new RegExp(`^MAP_ENDED: ended-${verb} has ended \\(completed at .*sluice status ended-${verb}`),
  );
  expect(ended.exitCode).toBe(6);
});

test('an order that no worker can carry out yet is sent, and that is said', async () => {
  const empty = await openTestNamespace();
  const handle = await startMap('waits', 'held', empty.client);
  const { exitCode, stdout } = await sluice(['pause', 'waits'], { env: environment(empty) });
  expect(stdout).toContain('pause was sent to waits; no worker polls task queue');
  expect(exitCode).toBe(0);
  const { events } = await handle.fetchHistory();
  expect(events?.flatMap((event) => event.workflowExecutionSignaledEventAttributes?.signalName ?? [])).toEqual([
    'pause',
  ]);
  await empty.close();
});
