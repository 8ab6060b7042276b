// `sluice explain` and `sluice unknown list`: the story of a row, from its history alone, while no worker is there to ask.
import type { RowStory } from '../../client/explain/row-story';
import { domainRows, type MapLab, openMapLab, type StartedMap } from '../helpers/map-lab';
import { sluice } from './fixtures/captured-shell';

const SECRET = 'sk-live-0123456789abcdef';
let lab: MapLab;
let map: StartedMap;
/** Two maps that ask the same. */
let first: StartedMap;
let second: StartedMap;

beforeAll(async () => {
  const quiet = { price: 0.01, missRate: 0 };
  lab = await openMapLab({
    sim: {
      providers: {
        shut: { ...quiet, closings: [{ atRequest: 1, durationMs: 8000 }] },
        common: quiet,
        keyless: { ...quiet, faults: [{ kind: 'reset-after-charge', inputs: ['r1.example'], times: 1 }] },
      },
    },
    providers: { shut: { secret: SECRET }, keyless: { idempotent: false }, common: { share: 'all' } },
  });
  const worker = await lab.worker();
  const input = { domain: '{{ row.domain }}' };
  map = await lab.start({
    dataset: { rows: domainRows(2), key: 'domain' },
    columns: [
      { name: 'firm', tool: 'shut.company', input },
      { name: 'email', tool: 'keyless.email', input },
      { name: 'size', runIf: '{{ row.domain = "r9.example" }}', tool: 'shut.email', input },
    ],
  });
  await map.result();
  const again = {
    dataset: { rows: domainRows(1), key: 'domain' },
    columns: [{ name: 'firm', tool: 'common.company', input }],
  };
  first = await lab.start(again);
  await first.result();
  second = await lab.start(again);
  await second.result();
  worker.stop();
  await worker.finished;
});
afterAll(() => lab.close());

const run = (...args: string[]) => sluice([...args, '--address', lab.address, '--namespace', lab.namespace]);
const story = (row: string, ...flags: string[]): Promise<RowStory> => storyOf(map, row, ...flags);
const storyOf = async ({ mapId }: StartedMap, row: string, ...flags: string[]): Promise<RowStory> =>
  JSON.parse((await run('explain', mapId, '--row', row, '--json', ...flags)).stdout);

test('a row that was held, and whose second call is unknown, tells both with instants, reasons and ids', async () => {
  const told = await story('r1.example');
  expect(told).toMatchObject({ status: 'unknown', error: { code: 'AMBIGUOUS_OUTCOME', column: 'email' } });
  const [firm, email] = told.calls;
  expect(firm).toMatchObject({
    column: 'firm',
    state: 'done',
    receipt: { how: 'executed', price: 0.01 },
    openBilling: null,
  });
  const held = firm?.steps.filter(({ what }) => what === 'held') ?? [];
  expect(held.length).toBeGreaterThan(0);
  for (const { reason, untilMs, atMs } of held) {
    expect(['throttled', 'gate_closed']).toContain(reason);
    expect(untilMs).toBeGreaterThan(atMs);
  }
  expect(email).toMatchObject({ state: 'unknown', receipt: null, openBilling: { idempotencyKey: null } });
  expect(email?.why).toMatch(/never bought again by itself/);
});

test('--column leaves the others out, and an identity finds the row as its key does', async () => {
  const { identity, calls } = await story('r0.example', '--column', 'email');
  expect(calls.map(({ column }) => column)).toEqual(['email']);
  expect(await story(identity, '--column', 'email')).toEqual(await story('r0.example', '--column', 'email'));
});

test('as text it names receipt, price, billing id and what was skipped, and never a secret', async () => {
  const { stdout, exitCode } = await run('explain', map.mapId, '--row', 'r0.example');
  expect(exitCode).toBe(0);
  for (const part of [
    /receipt +[0-9a-f]{64}/,
    /price +0\.01/,
    /billing id [0-9a-f]{32}/,
    /size {2}skipped/,
    /held throttled|held gate_closed/,
  ])
    expect(stdout).toMatch(part);
  expect(stdout).not.toContain(SECRET);
});

test('a reused answer names the call that bought it, the map that asked first, and that this row bought nothing', async () => {
  const [bought] = (await storyOf(first, 'r0.example')).calls;
  const [reused] = (await storyOf(second, 'r0.example')).calls;
  expect(bought).toMatchObject({
    column: 'firm',
    why: expect.stringMatching(/^bought by this row/),
    receipt: { how: 'executed' },
  });
  expect(reused).toMatchObject({
    column: 'firm',
    state: 'done',
    why: expect.stringMatching(/^not bought: an earlier call/),
    receipt: { ...bought?.receipt, how: 'reused' },
    shared: { callId: bought?.shared?.callId, runId: bought?.shared?.runId, firstAskedBy: first.mapId },
    steps: bought?.steps,
  });
  const { stdout } = await run('explain', second.mapId, '--row', 'r0.example');
  expect(stdout).toContain(`first by a row of ${first.mapId}`);
});

test('a row that is not there is told with what was expected', async () => {
  const { stderr, exitCode } = await run('explain', map.mapId, '--row', 'r7.example');
  expect({ exitCode, stderr }).toEqual({ exitCode: 6, stderr: expect.stringMatching(/ROW_NOT_FOUND.*its domain/) });
});

test('unknown calls are listed with the ids under which they may have been charged', async () => {
  const listed = JSON.parse((await run('unknown', 'list', map.mapId, '--json')).stdout);
  const [failure] = await map.failures();
  expect(listed).toMatchObject({
    more: 0,
    calls: [{ column: 'email', tool: 'keyless.email', openBilling: failure?.billing }],
  });
  expect((await run('unknown', 'list', map.mapId)).stdout).toMatch(
    /^r1\.example {2}line \d+ {2}[ko]:\S+ {2}email {2}keyless\.email {2}\S+\n {2}.*billing id [0-9a-f]{32}, no idempotency key, sent/m,
  );
});
