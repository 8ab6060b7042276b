// `sluice watch` and `sluice status` against a real server: looks at map, pages and rows, and the end.
import { runCommandLine } from '../../client/cli';
import { openTestNamespace } from '../helpers/test-namespace';
import { capturedShell, sluice } from './fixtures/captured-shell';
import { environment, type StandIn, startStandIn } from './fixtures/stand-in-worker';

let standIn: StandIn;

beforeAll(async () => {
  standIn = await startStandIn();
});
afterAll(() => standIn.close());

const startMap = (workflowId: string, name = 'held', client = standIn.namespace.client) =>
  client.workflow.start('datasetMap', { workflowId, taskQueue: 'sluice', args: [{ name }] });

const run = (args: string[]) => sluice(args, { env: standIn.env });

/** Of a look: the stand-in has one finished row, one missed row in its open page, two open rows, one not started. */
const LOOK = {
  type: 'progress',
  state: 'running',
  exact: true,
  total: 5,
  ended: 2,
  open: 2,
  notStarted: 1,
  rows: { done: 1, missed: 1 },
  asked: { answered: 2, waiting: 2 },
  providers: [
    { provider: 'acme.default', served: true, held: 0 },
    { provider: 'beacon.default', served: false, held: 1, queued: 1, reason: 'throttled' },
  ],
};

describe('status', () => {
  test('adds up map and pages, and asks the open rows what they wait for', async () => {
    await startMap('status');
    await openPages('status');
    const { exitCode, stdout } = await run(['status', 'status', '--json']);
    expect(JSON.parse(stdout)).toMatchObject(LOOK);
    expect(exitCode).toBe(0);
  });

  test('shows a person who is closed, who waits and which provider has no worker', async () => {
    await startMap('status-text');
    await openPages('status-text');
    const { stdout } = await run(['status', 'status-text']);
    expect(stdout).toContain(
      'rows  done 1 · missed 1 · failed 0 · unknown 0 · open 2 · parked 0 · not started 1 · of 5',
    );
    expect(stdout).toMatch(
      / {2}beacon\.default {2}NO WORKER serves it .* · closed until \d\d:\d\d:\d\d \(throttled\) · 2 rows wait/,
    );
  });

  test('shows the result of a map that has ended', async () => {
    await (await startMap('ended', 'flawed')).result();
    const { exitCode, stdout } = await run(['status', 'ended', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'end', kind: 'result', result: { rows: { done: 4, failed: 1 } } });
    expect(exitCode).toBe(0);
  });

  test('says so when no worker answers', async () => {
    const empty = await openTestNamespace();
    await startMap('alone', 'held', empty.client);
    const { exitCode, stderr } = await sluice(['status', 'alone'], { env: environment(empty) });
    expect(stderr).toMatch(/^NO_WORKER: no worker polls task queue "sluice", so nobody answers for alone; it waits/);
    expect(exitCode).toBe(1);
    await empty.close();
  });

  test('an unknown map is an error that names the maps there are', async () => {
    const { exitCode, stderr, stdout } = await run(['status', 'nope', '--json']);
    expect(stderr).toMatch(/^MAP_NOT_FOUND: there is no map nope in namespace "test-/);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'MAP_NOT_FOUND' } });
    expect(exitCode).toBe(6);
  });

  test('another kind of workflow is not taken for a map', async () => {
    await standIn.namespace.client.workflow.start('mapRow', {
      workflowId: 'row',
      taskQueue: 'sluice',
      args: ['queued'],
    });
    expect((await run(['status', 'row'])).stderr).toMatch(/^MAP_NOT_FOUND: row is a mapRow, not a map/);
  });
});

describe('watch', () => {
  test('prints looks until the map ends, then its end, with the exit code of the end', async () => {
    const handle = await startMap('watched');
    await openPages('watched');
    const shell = capturedShell({ env: standIn.env });
    const ended = runCommandLine(['watch', 'watched', '--json'], shell);
    await shell.printed(/"type":"progress"/);
    await handle.signal('cancel');
    expect(await ended).toBe(4);
    const lines = shell
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject(LOOK);
    expect(lines.at(-1)).toMatchObject({ type: 'end', kind: 'result', result: { status: 'cancelled' } });
  });

  test.each([
    ['quick', 0, 'map end-quick completed'],
    ['flawed', 3, 'map end-flawed completed'],
    ['stopping', 3, 'map end-stopping failed\nROW_FAILED: a row failed (docs/errors.md#row_failed)\nrows  done 0'],
    ['refused', 2, 'map end-refused failed\nINVALID_SPEC: the spec has 1 problem'],
  ])('a %s map ends with exit code %i', async (name, exitCode, text) => {
    await startMap(`end-${name}`, name);
    const watched = await run(['watch', `end-${name}`]);
    expect(watched.stdout).toContain(text);
    expect(watched.exitCode).toBe(exitCode);
  });

  test('a natively cancelled map shows its last figures and where its table lies', async () => {
    const handle = await startMap('native');
    await openPages('native');
    await handle.cancel();
    const { exitCode, stdout } = await run(['watch', 'native']);
    expect(stdout).toContain('map native cancelled');
    expect(stdout).toContain('table     /out/t.csv');
    expect(exitCode).toBe(4);
  });

  test('a terminated map is told to be stopped from outside', async () => {
    await (await startMap('terminated')).terminate();
    const { exitCode, stdout } = await run(['watch', 'terminated']);
    expect(stdout).toContain('map terminated was stopped from outside (terminated)');
    expect(exitCode).toBe(1);
  });

  test('Ctrl-C stops watching and leaves the map running', async () => {
    const handle = await startMap('left');
    const shell = capturedShell({ env: standIn.env });
    const ended = runCommandLine(['watch', 'left'], shell);
    await shell.printed(/running/);
    shell.interrupt();
    expect(await ended).toBe(130);
    expect(shell.stderr()).toContain('stopped watching; left runs on');
    expect((await handle.describe()).status.name).toBe('RUNNING');
  });
});

/** Resolves once the page of a stand-in map and its rows answer queries. */
async function openPages(mapId: string): Promise<void> {
  const { workflow } = standIn.namespace.client;
  for (const id of [`${mapId}/p1`, `${mapId}/r/held`, `${mapId}/r/queued`]) {
    while (
      !(await workflow
        .getHandle(id)
        .query('holds')
        .catch(() => null))
    )
      await new Promise(setImmediate);
  }
}
