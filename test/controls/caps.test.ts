// Caps of a map: it never buys more than they allow, stands still with a reason, and goes on when one is raised.
import { sluice } from '../client/fixtures/captured-shell';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab, type StartedMap } from '../helpers/map-lab';
import { callColumns } from './look';

let lab: MapLab;

beforeAll(async () => {
  const sim = { price: 0.02, missRate: 0 };
  lab = await openMapLab({
    sim: { seed: 3, providers: { acme: sim, beacon: sim, first: { ...sim, missRate: 1 }, second: sim } },
    providers: { acme: { price: 0.02 }, beacon: { price: 0.02 }, first: { price: 0.02 }, second: { price: 0.02 } },
  });
  await lab.worker();
});
afterAll(() => lab.close());

const dataset = (rows: number) => ({ rows: domainRows(rows), key: 'domain' });
const verb = (name: string, { mapId }: StartedMap, ...flags: string[]) =>
  sluice([name, mapId, ...flags, '--address', lab.address, '--namespace', lab.namespace]);
const until = (map: StartedMap, spentCalls: number) =>
  eventually(
    () => map.progress(),
    ({ pausedBy, budget }) => pausedBy !== undefined && (budget?.spent.calls ?? 0) >= spentCalls,
  );
const charges = (...providers: string[]) =>
  lab.sim.ledger.filter(({ provider, charged }) => charged && providers.includes(provider)).length;

test('at a cap a map stands still and says why; raised it goes on, and it never buys a call too many', async () => {
  const limits = { maxCost: 0.25 };
  const map = await lab.start({ dataset: dataset(300), columns: callColumns('acme.company'), limits });
  expect(await until(map, 12)).toMatchObject({
    state: 'paused',
    pausedBy: 'maxCost',
    open: 0,
    notStarted: 288,
    rows: { done: 12 },
    budget: {
      caps: { maxCalls: null, maxCost: 0.25 },
      spent: { calls: 12, cost: 0.24 },
      reserved: { calls: 0, cost: 0 },
    },
  });
  expect(charges('acme')).toBe(12);
  const status = await verb('status', map);
  expect(status.stdout).toContain(
    `maxCost 0.25 is reached: one more row may exceed it; go on with: sluice set-caps ${map.mapId}`,
  );
  const raised = await verb('set-caps', map, '--max-cost', 'none', '--max-calls', '260');
  expect(raised).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('of 260') });
  expect(await until(map, 260)).toMatchObject({ pausedBy: 'maxCalls', rows: { done: 260 } });
  expect(charges('acme')).toBe(260);
  await map.signal('setCaps', { maxCalls: null, maxRows: 3, maxCost: 0 });
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: 300 } });
  expect((await map.summary()).warnings).toEqual([
    'setCaps: maxRows was ignored, known are maxCalls and maxCost',
    'setCaps: maxCost was ignored, expected a number above 0, or null, got 0',
  ]);
});

test('a reservation is settled by what was bought: rows that came cheaper let others start, up to the cap', async () => {
  const input = { domain: '{{ row.domain }}' };
  const columns = [
    { name: 'firm', tool: 'beacon.company', input },
    { name: 'email', runIf: '{{ row.domain = "r0.example" }}', tool: 'beacon.email', input },
  ];
  const map = await lab.start({ dataset: dataset(40), columns, limits: { maxCalls: 20 } });
  const stopped = await until(map, 19);
  // One row more may take two calls, and only one is left.
  expect(stopped).toMatchObject({ pausedBy: 'maxCalls', budget: { spent: { calls: 19 }, reserved: { calls: 0 } } });
  expect(charges('beacon')).toBe(19);
  await map.signal('cancel');
  expect(await map.result()).toMatchObject({ status: 'cancelled', rows: { done: 18, not_run: 22 } });
});

test('each leg of a waterfall is reserved, and what all rows may need is told at least and at most', async () => {
  const map = await lab.start({
    dataset: dataset(10),
    columns: [
      {
        name: 'email',
        waterfall: ['first.email', 'second.email'].map((tool) => ({ tool, input: { domain: '{{ row.domain }}' } })),
      },
    ],
    limits: { maxCalls: 6 },
  });
  expect(await until(map, 6)).toMatchObject({
    budget: { least: { calls: 10, cost: 0.2 }, most: { calls: 20, cost: 0.4 } },
    rows: { done: 3 },
  });
  await map.signal('cancel');
  await map.result();
  expect(charges('first', 'second')).toBeLessThanOrEqual(6);
});
