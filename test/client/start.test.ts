// `sluice start` against a real server: starts once, tells the verdict of admission, and says when no worker is there.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useTemporaryFolder } from '../helpers/temporary-folder';
import { openTestNamespace } from '../helpers/test-namespace';
import { sluice } from './fixtures/captured-shell';
import { environment, type StandIn, startStandIn } from './fixtures/stand-in-worker';

const folder = useTemporaryFolder();
let standIn: StandIn;

beforeAll(async () => {
  standIn = await startStandIn();
});
afterAll(() => standIn.close());

async function specFile(name: string): Promise<string> {
  const spec = `name: ${name}\ndataset: { csv: in.csv }\ncolumns: [{ name: size, value: 1 }]\noutput: { csv: out.csv }\n`;
  await writeFile(join(folder(), 'in.csv'), 'domain\n');
  await writeFile(join(folder(), 'map.yaml'), spec);
  return 'map.yaml';
}

const run = (args: string[], env: StandIn['env'] = standIn.env) => sluice(args, { env, cwd: folder() });

test('an admitted map prints its id, its rows, warnings and the next commands', async () => {
  const { exitCode, stdout } = await run(['start', await specFile('held'), '--id', 'admitted']);
  expect(stdout).toMatch(/^started admitted {2}run [0-9a-f-]{36}\n/);
  expect(stdout).toContain('admitted 5 rows (1 duplicate)');
  expect(stdout).toContain('warning: 1 duplicate key');
  expect(stdout).toContain('sluice watch admitted');
  expect(exitCode).toBe(0);
});

test('the workflow gets the spec with absolute paths and the limit as its one argument', async () => {
  await run(['start', await specFile('held'), '--id', 'argument', '--limit', '7', '--overwrite', '--no-wait']);
  const history = await standIn.namespace.client.workflow.getHandle('argument').fetchHistory();
  const payloads = history.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  expect(payloads.map((payload) => JSON.parse(Buffer.from(payload.data ?? []).toString()))).toEqual([
    {
      name: 'held',
      dataset: { csv: join(folder(), 'in.csv') },
      columns: [{ name: 'size', value: 1 }],
      output: { csv: join(folder(), 'out.csv'), overwrite: true },
      limits: { rows: 7 },
    },
  ]);
});

test('without --id the id is made of name and time', async () => {
  const { stdout } = await run(['start', await specFile('quick'), '--json', '--no-wait']);
  expect(JSON.parse(stdout)).toMatchObject({ mapId: expect.stringMatching(/^quick-\d{8}-\d{6}$/), worker: true });
});

test('a refused map prints its problems and ends with exit code 2', async () => {
  const { exitCode, stderr, stdout } = await run(['start', await specFile('refused'), '--id', 'refused']);
  expect(stderr).toBe(
    'INVALID_SPEC: the spec has 1 problem (docs/errors.md#invalid_spec)\n  columns[0].tool: unknown tool acme.nope\n',
  );
  expect(stdout).toBe('');
  expect(exitCode).toBe(2);
});

test('a refused map that has not ended yet is not taken for an admitted one', async () => {
  const { exitCode, stdout } = await run(['start', await specFile('refusing'), '--id', 'refusing']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
});

test('with --json a refusal is one document on stdout', async () => {
  const { exitCode, stdout } = await run(['start', await specFile('refused'), '--id', 'refused-json', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    mapId: 'refused-json',
    state: 'ended',
    end: { kind: 'failed', code: 'INVALID_SPEC', problems: [{ path: 'columns[0].tool' }] },
  });
  expect(exitCode).toBe(2);
});

test.each(['held', 'quick'])('an id is used once, whether its %s map runs or has ended', async (name) => {
  const file = await specFile(name);
  await run(['start', file, '--id', `once-${name}`]);
  const again = await run(['start', file, '--id', `once-${name}`]);
  expect(again.stderr).toMatch(
    new RegExp(`^MAP_EXISTS: a map once-${name} exists already \\((running|completed), .*choose another --id`),
  );
  expect(again.exitCode).toBe(2);
});

test('an id whose map was refused at admission is free, and a refused map that has the id again is refused as before', async () => {
  await run(['start', await specFile('refused'), '--id', 'twice']);
  expect((await run(['start', await specFile('refused'), '--id', 'twice'])).stderr).toMatch(/^INVALID_SPEC/);
  const { exitCode, stdout } = await run(['start', await specFile('quick'), '--id', 'twice']);
  expect(stdout).toMatch(/^started twice {2}run /);
  expect(exitCode).toBe(0);
});

test('an id whose map failed after its rows were run stays used', async () => {
  await run(['start', await specFile('stopping'), '--id', 'stopped']);
  expect((await run(['start', await specFile('quick'), '--id', 'stopped'])).stderr).toMatch(/^MAP_EXISTS/);
});

test('--watch follows the map to its end and takes its exit code', async () => {
  const { exitCode, stdout } = await run(['start', await specFile('flawed'), '--id', 'flawed', '--watch']);
  expect(stdout).toContain('map flawed completed');
  expect(stdout).toContain('failures  /out/t.failures.jsonl (1 row that did not finish)');
  expect(exitCode).toBe(3);
});

test('without a worker the map is started, and it is said that it waits', async () => {
  const empty = await openTestNamespace();
  const { exitCode, stderr, stdout } = await run(
    ['start', await specFile('held'), '--id', 'waits'],
    environment(empty),
  );
  expect(stderr).toContain(
    'NO_WORKER: no worker polls task queue "sluice"; the map waits until a worker starts: ./temporal-dev.sh worker',
  );
  expect(stdout).toContain('not admitted yet');
  expect(exitCode).toBe(0);
  expect((await empty.client.workflow.getHandle('waits').describe()).status.name).toBe('RUNNING');
  await empty.close();
});

test('--dry-run shows the spec and starts nothing, with no server there', async () => {
  const env = { ...standIn.env, TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const { exitCode, stdout } = await run(['start', await specFile('held'), '--id', 'dry', '--dry-run', '--json'], env);
  expect(JSON.parse(stdout)).toMatchObject({ mapId: 'dry', started: false, spec: { name: 'held' } });
  expect(exitCode).toBe(0);
});

test('a spec with problems contacts no server', async () => {
  await writeFile(join(folder(), 'bad.yaml'), 'name: 7\n');
  const { exitCode, stderr } = await run(['start', 'bad.yaml'], { ...standIn.env, TEMPORAL_ADDRESS: '127.0.0.1:1' });
  expect(stderr).toMatch(/^INVALID_SPEC: bad\.yaml has \d+ problems, nothing was started/);
  expect(stderr).toContain('bad.yaml:1:7 name');
  expect(exitCode).toBe(2);
});
