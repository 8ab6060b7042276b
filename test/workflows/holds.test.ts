// A hold is not an error: whatever a provider refuses, row programs only wait, and nobody spins (design 2, rules 1, 3 and 4).
import { join } from 'node:path';
import { throttleMs } from '../../activities/http/backoff';
import type { LedgerEntry } from '../../examples/provider-sim/ledger';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab, type StartedMap } from '../helpers/map-lab';
import { dispatchesOf, failedWorkflowTasks, rowIdsOf, rowResult } from '../helpers/row-history';

let lab: MapLab;

beforeAll(async () => {
  const quiet = { price: 0.01, missRate: 0 };
  lab = await openMapLab({
    sim: {
      providers: {
        acme: quiet,
        beacon: quiet,
        // With the most jitter the third request comes after 7 s: it must still be refused.
        zero: { ...quiet, closings: [{ atRequest: 1, durationMs: 9500, style: 'zero' }] },
        flaky: { ...quiet, faults: [{ kind: 'error-before-charge', requests: [1] }] },
      },
    },
    providers: { acme: {}, beacon: {}, zero: { limits: { concurrency: 5 } }, flaky: { limits: { concurrency: 1 } } },
    workflowsPath: join(__dirname, 'fixtures', 'index.ts'),
  });
  await lab.worker();
});
afterAll(() => lab.close());

const callOf = (provider: string) => [
  { name: 'firm', tool: `${provider}.company`, input: { domain: '{{ row.domain }}' } },
];
const requestsTo = (provider: string): LedgerEntry[] => lab.sim.ledger.filter((entry) => entry.provider === provider);

test('a map with a fallback gives the same table whether its provider closes or not', async () => {
  const spec = { dataset: { rows: domainRows(12), key: 'domain' }, map: 'fallback', tools: ['acme.company'] };
  const open = await lab.start(spec);
  expect(await open.result()).toMatchObject({ rows: { done: 12 } });
  lab.sim.control.close('acme', { durationMs: 6500 });
  const closed = await lab.start(spec);
  expect((await closed.result()).counts.columns.firm).toMatchObject({ executed: 12, failed: 0 });
  expect(await closed.table()).toEqual(await open.table());
  expect((await open.table()).every(({ source }) => source === 'acme')).toBe(true);
  const holds = (await closed.result()).counts.columns.firm?.held;
  expect(holds).toBeGreaterThan(0);
});

test('cancelled while it would fall back, a row is cancelled and its fallback is not in the table', async () => {
  lab.sim.control.close('acme', { durationMs: 3_600_000 });
  const before = requestsTo('beacon').length;
  const [swallowing, stubborn] = await Promise.all(
    ['fallback', 'stubborn'].map((map) =>
      lab.start({ dataset: { rows: domainRows(3), key: 'domain' }, map, tools: ['acme.company', 'beacon.company'] }),
    ),
  );
  for (const map of [swallowing, stubborn] as StartedMap[]) {
    await eventually(
      () => map.progress(),
      ({ open }) => open === 3,
    );
    await map.signal('cancel');
    expect(await map.result()).toMatchObject({ status: 'cancelled', rows: { cancelled: 3, done: 0 } });
    expect((await map.table()).some((row) => 'source' in row || 'firm' in row)).toBe(false);
    expect(await failedWorkflowTasks(lab.client, map.mapId)).toEqual([]);
  }
  expect(requestsTo('beacon')).toHaveLength(before);
  lab.sim.control.open('acme');
});

test('rows that need only the open provider all finish while the other one is closed for an hour', async () => {
  lab.sim.control.close('acme', { durationMs: 3_600_000 });
  const both = await lab.start({
    dataset: {
      rows: [...domainRows(20)].map((row, at) => ({ ...row, needs: at % 2 ? 'acme' : 'beacon' })),
      key: 'domain',
    },
    columns: [
      { ...callOf('acme')[0], name: 'a', runIf: "{{ row.needs = 'acme' }}" },
      { ...callOf('beacon')[0], name: 'b', runIf: "{{ row.needs = 'beacon' }}" },
    ],
  });
  const before = requestsTo('beacon').length;
  await lab.sim.waitFor(() => requestsTo('beacon').length === before + 10);
  await both.signal('cancel');
  expect((await both.result()).rows).toMatchObject({ done: 10, cancelled: 10 });
  lab.sim.control.open('acme');
});

test('zero-second hints in a row do not make a call spin: each wait is at least twice the one before, and each attempt is counted', async () => {
  const map = await lab.start({ dataset: { rows: domainRows(1), key: 'domain' }, columns: callOf('zero') });
  expect(await map.result()).toMatchObject({ rows: { done: 1 } });
  const arrivals = requestsTo('zero').map(({ arrivedAtMs }) => arrivedAtMs);
  const gaps = arrivals.slice(1).map((at, index) => at - (arrivals[index] as number));
  expect(gaps.length).toBeGreaterThan(2);
  gaps.forEach((gap, at) => {
    expect(gap).toBeGreaterThanOrEqual(throttleMs(at + 1));
  });
  const [id] = await rowIdsOf(lab.client, map.mapId);
  const { ledger } = (await rowResult(lab.client, id as string)) as { ledger: { attempts: number }[] };
  expect(ledger[0]?.attempts).toBe(arrivals.length);
  const dispatches = await dispatchesOf(lab.client, id as string);
  expect(dispatches.at(-1)?.outcome?.cursor).toMatchObject({ billingNumber: dispatches.length - 1 });
});

test('a wait inside the activity gives its permit back: the only permit serves another row meanwhile', async () => {
  const map = await lab.start({ dataset: { rows: domainRows(6), key: 'domain' }, columns: callOf('flaky') });
  expect(await map.result()).toMatchObject({ rows: { done: 6 } });
  const [refused, next] = requestsTo('flaky');
  expect(refused?.verdict).toBe('fault');
  expect(next?.input).not.toEqual(refused?.input);
  expect(lab.sim.summary().providers.flaky?.maxInFlight).toBe(1);
  const dispatches = (await rowIdsOf(lab.client, map.mapId)).map((id) => dispatchesOf(lab.client, id));
  expect((await Promise.all(dispatches)).map((list) => list.length)).toEqual([1, 1, 1, 1, 1, 1]);
});
