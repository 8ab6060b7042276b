// `sluice unknown resolve`: a person says what became of an unknown call, once, for everybody who asks the same; the ledger judges what is bought.
import type { RowStory } from '../../client/explain/row-story';
import type { MapResult } from '../../contracts/results';
import { eventually } from '../helpers/eventually';
import { type MapLab, type MapSpecInput, openMapLab } from '../helpers/map-lab';
import { type CommandRun, sluice } from './fixtures/captured-shell';

jest.setTimeout(120_000);

let lab: MapLab;

/** Charged, and the answer is lost: once for each of these. */
const lost = (...inputs: string[]) => [{ kind: 'reset-after-charge' as const, inputs, times: 1 }];

beforeAll(async () => {
  const quiet = { price: 0.01, missRate: 0, idempotency: false };
  lab = await openMapLab({
    sim: {
      providers: {
        own: { ...quiet, faults: lost('a.example', 'b.example', 'c.example', 'late.example') },
        common: { ...quiet, faults: lost('said.example', 'again.example', 'none.example') },
      },
    },
    providers: { own: { idempotent: false }, common: { idempotent: false, share: 'all' } },
  });
  await lab.worker();
});
afterAll(() => lab.close());

const cli = (...args: string[]): Promise<CommandRun> =>
  sluice([...args, '--address', lab.address, '--namespace', lab.namespace]);
const resolve = (mapId: string, row: string, ...args: string[]) =>
  cli('unknown', 'resolve', mapId, '--row', row, ...args);

/** Settles a call and waits until a worker has checked it: on a busy machine the verb may say `pending` before. */
async function settle(mapId: string, row: string, ...args: string[]): Promise<void> {
  expect(await resolve(mapId, row, ...args)).toMatchObject({ exitCode: 0, stderr: '' });
  await eventually(
    async () => JSON.parse((await cli('explain', mapId, '--row', row, '--json')).stdout) as RowStory,
    ({ calls }) => calls.some(({ settlement }) => settlement !== null && settlement !== 'pending'),
  );
}

const spec = (tool: string, ...domains: string[]): MapSpecInput => ({
  dataset: { rows: domains.map((domain) => ({ domain })), key: 'domain' },
  columns: [{ name: 'firm', tool, input: { domain: '{{ row.domain }}' } }],
});

const run = async (mapId: string, map: MapSpecInput): Promise<MapResult> => (await lab.start(map, mapId)).result();

const requestsFor = (domain: string) => lab.sim.ledger.filter(({ input }) => input.domain === domain).length;

test('done gives the value, retry buys once anew, failed ends it: on the next redrive, which needs no --unknown, and never twice', async () => {
  const first = await lab.start(spec('own.company', 'a.example', 'b.example', 'c.example', 'd.example'), 'firms');
  expect(await first.result()).toMatchObject({ rows: { unknown: 3, done: 1 } });
  await settle('firms', 'a.example', '--as', 'done', '--value', '{"employees":7}', '--reason', 'invoice');
  await settle('firms', 'b.example', '--as', 'retry', '--json');
  await settle('firms', 'c.example', '--column', 'firm', '--as', 'failed');
  expect(lab.sim.ledger).toHaveLength(4);

  expect((await cli('redrive', 'firms', '--watch', '--id', 'firms-2')).exitCode).toBe(3);
  const second = (await lab.client.workflow.getHandle('firms-2').result()) as MapResult;
  expect(second.rows).toMatchObject({ done: 3, failed: 1, unknown: 0 });
  expect(second.counts.columns.firm).toMatchObject({ executed: 1, cost: 0.01 });
  expect(await first.table()).toMatchObject([
    { firm: { employees: 7 } },
    { _status: 'done' },
    { _status: 'failed' },
    {},
  ]);
  expect(['a', 'b', 'c', 'd'].map((name) => requestsFor(`${name}.example`))).toEqual([1, 2, 1, 1]);

  expect(await run('firms-3', { redrive: { map: 'firms-2' } })).toMatchObject({ rows: { done: 3, failed: 1 } });
  expect(['b', 'c'].map((name) => requestsFor(`${name}.example`))).toEqual([2, 1]);
});

test('explain and list tell who settled a call, when and as what; the redriven row tells it of its answer', async () => {
  const { identity, calls } = JSON.parse(
    (await cli('explain', 'firms', '--row', 'a.example', '--json')).stdout,
  ) as RowStory;
  expect(calls).toMatchObject([
    {
      state: 'unknown',
      settlement: { as: 'done', reason: 'invoice', by: expect.any(String), atMs: expect.any(Number) },
    },
  ]);
  const { stdout } = await cli('explain', 'firms-2', '--row', identity);
  expect(stdout).toMatch(/why +not bought here: the answer was given by .+@.+ at .+ \(invoice\)/);
  const listed = await cli('unknown', 'list', 'firms');
  expect(listed.stdout).toMatch(/settled as retry by/);
  expect(listed.stdout).toContain('all of them are settled: sluice redrive firms');
});

test.each([
  ['a row that is not there', ['nobody.example', '--as', 'retry'], 6, /ROW_NOT_FOUND/],
  ['a row that is done', ['d.example', '--as', 'retry'], 2, /RESOLVE_REFUSED.*has no unknown call: the row is done/],
  ['a column that is not there', ['b.example', '--column', 'mail', '--as', 'retry'], 2, /column mail of row/],
  ['a call that is settled already', ['b.example', '--as', 'failed'], 2, /RESOLVE_REFUSED.*was settled as retry by/],
  ['done without a value', ['b.example', '--as', 'done'], 2, /--as done needs --value/],
  ['a value that is no JSON', ['b.example', '--as', 'done', '--value', '{x'], 2, /Expected JSON/],
])('%s is refused with what is wrong', async (_, [row = '', ...args], exitCode, words) => {
  const refused = await resolve('firms', row, ...args);
  expect({ exitCode: refused.exitCode, stderr: refused.stderr }).toEqual({
    exitCode,
    stderr: expect.stringMatching(words),
  });
});

test('a shared call is settled for every row and every later map that asks the same', async () => {
  const questions = spec('common.company', 'said.example', 'again.example', 'none.example');
  expect(await run('asked', questions)).toMatchObject({ rows: { unknown: 3 } });
  expect(await run('asked-too', questions)).toMatchObject({ rows: { unknown: 3 } });
  expect(lab.sim.summary().providers.common?.requests).toBe(3);
  await settle('asked', 'said.example', '--as', 'done', '--value', '{"employees":9}');
  await settle('asked-too', 'again.example', '--as', 'retry');
  await settle('asked', 'none.example', '--as', 'failed', '--reason', 'no such firm');
  expect((await resolve('asked-too', 'said.example', '--as', 'retry')).stderr).toContain('was settled as done');

  const later = await lab.start(questions, 'asked-later');
  expect(await later.result()).toMatchObject({
    rows: { done: 2, failed: 1 },
    counts: { columns: { firm: { executed: 1 } } },
  });
  expect(await later.table()).toMatchObject([{ firm: { employees: 9 } }, {}, { _status: 'failed' }]);
  expect(await later.failures()).toMatchObject([
    { code: 'RESOLVED_AS_FAILED', message: expect.stringContaining('no such firm'), repairable: false },
  ]);
  for (const map of ['asked', 'asked-too']) {
    expect(await run(`${map}-2`, { redrive: { map } })).toMatchObject({ rows: { done: 2, failed: 1 } });
  }
  expect(['said', 'again', 'none'].map((name) => requestsFor(`${name}.example`))).toEqual([1, 2, 1]);
});

test('what is said while no worker runs is kept, and counts once one has checked it', async () => {
  const namespace = { address: lab.address, namespace: lab.namespace };
  await run('late', spec('own.company', 'late.example'));
  const { stdout } = await sluice(
    ['unknown', 'resolve', 'late', '--row', 'late.example', '--as', 'retry', '--json'],
    // The clock jumps over the time that is waited for a worker, so that either answer is right.
    { env: { TEMPORAL_ADDRESS: namespace.address, TEMPORAL_NAMESPACE: namespace.namespace }, now: jumpingClock() },
  );
  expect(['pending', 'settled']).toContain(JSON.parse(stdout).state);
  await eventually(
    () => cli('unknown', 'list', 'late', '--json'),
    ({ stdout: listed }) => JSON.parse(listed).calls[0].settlement.as === 'retry',
  );
});

function jumpingClock(): () => number {
  let nowMs = Date.now();
  return () => {
    nowMs += 60_000;
    return nowMs;
  };
}
