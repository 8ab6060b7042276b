// When a shared answer is not good enough: too old, or a map that buys anew on purpose. Either is bought once, however many want it.
import { join } from 'node:path';
import { GATE_SIGNAL } from '../../contracts/names';
import { type MapLab, type MapSpecInput, openMapLab } from '../helpers/map-lab';

jest.setTimeout(120_000);

let lab: MapLab;

beforeAll(async () => {
  const priced = { price: 0.01, missRate: 0 };
  lab = await openMapLab({
    sim: {
      providers: {
        quick: priced,
        slow: { ...priced, latencyMs: 1500 },
        flaky: { ...priced, faults: [{ kind: 'needs-credits', inputs: ['poor.example'], times: 1 }] },
      },
    },
    providers: { quick: { share: 'all' }, slow: { share: 'all' }, flaky: { share: 'all' } },
  });
  await lab.worker();
});
afterAll(() => lab.close());

/** Rows `n` 0, 1, …, all of them over one domain. */
const spec = (tool: string, rows: number, domain: string, change: object = {}): MapSpecInput => ({
  dataset: { rows: Array.from({ length: rows }, (_, n) => ({ n })), key: 'n' },
  columns: [{ name: 'firm', tool, input: { domain }, ...change }],
});

async function executedBy(map: MapSpecInput): Promise<number | undefined> {
  const { rows, counts } = await (await lab.start(map)).result();
  expect(rows.failed + rows.unknown).toBe(0);
  return counts.columns.firm?.executed;
}

test('a receipt that is young enough is reused, and one that is too old is refreshed', async () => {
  expect(await executedBy(spec('quick.company', 1, 'age.example'))).toBe(1);
  expect(await executedBy(spec('quick.company', 1, 'age.example', { maxAgeSeconds: 3600 }))).toBe(0);
  expect(await executedBy(spec('quick.company', 1, 'age.example', { maxAgeSeconds: 0 }))).toBe(1);
  expect(await executedBy(spec('quick.company', 1, 'age.example'))).toBe(0);
});

test.each([
  ['behind', -3_600_000],
  ['ahead', 3_600_000],
])('the age of a receipt counts on the clock of the server: one of a worker that is an hour %s', async (_, shiftMs) => {
  const own = await openMapLab({
    sim: { providers: { quick: { price: 0.01, missRate: 0 } } },
    providers: { quick: { share: 'all' } },
  });
  try {
    const preload = `--require ${join(__dirname, '../helpers/shifted-clock.cjs')}`;
    await own.workerProcess({ NODE_OPTIONS: preload, SLUICE_TEST_CLOCK_SHIFT_MS: String(shiftMs) });
    const executed: number[] = [];
    for (const change of [{}, { maxAgeSeconds: 1800 }, { maxAgeSeconds: 0 }]) {
      const { counts } = await (await own.start(spec('quick.company', 1, 'clock.example', change))).result();
      executed.push(counts.columns.firm?.executed ?? 0);
    }
    expect(executed).toEqual([1, 0, 1]);
  } finally {
    await own.close();
  }
});

test('rows that find one stale receipt at once buy once', async () => {
  await executedBy(spec('slow.company', 1, 'stale.example'));
  expect(await executedBy(spec('slow.company', 5, 'stale.example', { maxAgeSeconds: 0 }))).toBe(1);
  expect(lab.sim.summary().providers.slow?.charges).toBe(2);
});

test('a forced column buys once for rows with equal input, says so, and a second forced run buys again', async () => {
  await executedBy(spec('quick.company', 3, 'force.example'));
  const forced = { ...spec('quick.company', 3, 'force.example'), force: { columns: ['firm'] } };
  const map = await lab.start(forced);
  const { counts } = await map.result();
  expect(counts).toMatchObject({ forced: 1, columns: { firm: { executed: 1 } } });
  expect((await map.summary()).warnings).toContain(
    'W_FORCED: 3 rows buy anew what earlier runs may have bought: at most 3 calls',
  );
  expect(await executedBy(forced)).toBe(1);
  expect(await executedBy(spec('quick.company', 3, 'force.example'))).toBe(0);
});

test('a forced row and tool leave all other calls alone, and a key that no row has is refused', async () => {
  await executedBy(spec('quick.company', 3, 'rows.example'));
  const forced = (force: object) => ({ ...spec('quick.company', 3, 'rows.example'), force });
  const map = await lab.start(forced({ rows: ['1'], tools: ['quick.company'] }));
  const { counts } = await map.result();
  expect(counts.columns.firm).toMatchObject({ executed: 1, reused: 2 });
  await expect((await lab.start(forced({ rows: ['7'] }))).result()).rejects.toMatchObject({
    cause: { message: expect.stringContaining('no row has the key "7"') },
  });
});

test('a forced call that was bought is not bought again by a redrive, one that was refused is bought once, and each map counts its own', async () => {
  await executedBy(spec('quick.company', 2, 'poor.example'));
  const [firm] = spec('quick.company', 2, 'poor.example').columns as object[];
  const forced = {
    dataset: { rows: [{ n: 0 }, { n: 1 }], key: 'n' },
    columns: [firm, { name: 'mail', tool: 'flaky.email', input: { domain: 'poor.example' } }],
    force: { columns: ['firm', 'mail'] },
  } as MapSpecInput;
  const map = await lab.start(forced);
  const first = await map.result();
  expect(first).toMatchObject({ rows: { failed: 2 }, counts: { forced: 1 } });
  expect(first.warnings[0]).toMatch(/^W_FORCED: 2 rows .* at most 4 calls$/);
  await lab.client.workflow.getHandle('gate/flaky/default').signal(GATE_SIGNAL.resume);

  const again = await lab.start({ redrive: { map: map.mapId } });
  const second = await again.result();
  expect(second).toMatchObject({ rows: { done: 2 }, counts: { forced: 1 } });
  expect(second.counts.columns).toMatchObject({ firm: { executed: 0, reused: 2 }, mail: { executed: 1 } });
  expect(second.warnings.filter((warning) => warning.startsWith('W_FORCED'))).toEqual([
    'W_FORCED: 2 rows buy anew what earlier runs may have bought: at most 2 calls',
  ]);
  const charged = lab.sim.ledger.filter(({ input, charged: paid }) => paid && input.domain === 'poor.example');
  expect(charged.map(({ provider }) => provider)).toEqual(['quick', 'quick', 'flaky']);
});
