// When a shared answer is not good enough: too old, or a map that buys anew on purpose. Either is bought once, however many want it.
import { type MapLab, type MapSpecInput, openMapLab } from '../helpers/map-lab';

jest.setTimeout(120_000);

let lab: MapLab;

beforeAll(async () => {
  const priced = { price: 0.01, missRate: 0 };
  lab = await openMapLab({
    sim: { providers: { quick: priced, slow: { ...priced, latencyMs: 1500 } } },
    providers: { quick: { share: 'all' }, slow: { share: 'all' } },
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

test('rows that find one stale receipt at once buy once', async () => {
  await executedBy(spec('slow.company', 1, 'stale.example'));
  expect(await executedBy(spec('slow.company', 5, 'stale.example', { maxAgeSeconds: 0 }))).toBe(1);
  expect(lab.sim.summary().providers.slow?.charges).toBe(2);
});

test('a forced column buys once for rows with equal input, says so, and a second forced run buys again', async () => {
  await executedBy(spec('quick.company', 3, 'force.example'));
  const forced = { ...spec('quick.company', 3, 'force.example'), force: { columns: ['firm'] } };
  const map = await lab.start(forced);
  expect((await map.result()).counts.columns.firm).toMatchObject({ executed: 1 });
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
