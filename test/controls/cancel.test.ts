// Cancel by signal and by Temporal's own request: whatever the moment, the table is complete and every row has its status.
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import type { MapProgress, MapResult } from '../../contracts/results';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab, type StartedMap } from '../helpers/map-lab';
import { callColumns, openCalls, statusesOf } from './look';

const HOUR = 3_600_000;
const HANGING = [{ kind: 'hang-after-charge' as const, rate: 1 }];
/** Longer than the test's own time limit: only a request that is given up can end before. */
const FOR_EVER = '5m';

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: {
      providers: {
        acme: { price: 0.01, missRate: 0 },
        shut: { price: 0.01, missRate: 0 },
        shutnative: { price: 0.01, missRate: 0 },
        keyed: { price: 0.01, missRate: 0, faults: HANGING },
        keyless: { price: 0.01, missRate: 0, faults: HANGING },
        free: { missRate: 0, faults: HANGING },
        late: { price: 0.01, missRate: 0, latencyMs: 3000 },
        paced: { price: 0.01, missRate: 0, latencyMs: 200 },
      },
    },
    providers: {
      acme: {},
      shut: {},
      shutnative: {},
      keyed: { timeout: FOR_EVER },
      keyless: { timeout: FOR_EVER, idempotent: false },
      free: { timeout: FOR_EVER, idempotent: false, price: 0 },
      late: {},
      paced: { limits: { concurrency: 4 } },
    },
  });
});
afterAll(() => lab.close());

const spec = (rows: number, tools: string[], rest: object = {}) => ({
  dataset: { rows: domainRows(rows), key: 'domain' },
  columns: callColumns(...tools),
  ...rest,
});

const requestsTo = (provider: string) => lab.sim.ledger.filter((entry) => entry.provider === provider);

/** Of a map that was cancelled natively: its workflow ends Canceled, which has no result, but the summary file tells all. */
async function canceledResult(map: StartedMap): Promise<MapResult> {
  const error: unknown = await map.result().then(
    () => new Error('the workflow completed'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof CancelledFailure)) throw error;
  expect((await map.handle.describe()).status.name).toBe('CANCELLED');
  return map.summary();
}

/** The counts of a map that has ended, wherever they are told. */
async function expectSameCounts(map: StartedMap, { rows, cardinality }: MapResult): Promise<MapProgress> {
  const progress = await map.progress();
  expect(progress).toMatchObject({ rows, open: 0, parked: 0, notStarted: 0, openPages: [] });
  expect(progress.cardinality).toEqual(cardinality);
  expect(statusesOf(await map.table())).toEqual(Object.fromEntries(Object.entries(rows).filter(([, n]) => n > 0)));
  return progress;
}

test('before a worker has admitted it, no row runs and the table is whole', async () => {
  const bySignal = await lab.start(spec(300, ['acme.company']));
  const natively = await lab.start(spec(300, ['acme.company']));
  await bySignal.signal('cancel');
  await natively.handle.cancel();
  await lab.worker();
  const result = await bySignal.result();
  expect(result).toMatchObject({ status: 'cancelled', rows: { not_run: 300 } });
  await expectSameCounts(bySignal, result);
  await expectSameCounts(natively, await canceledResult(natively));
  expect(statusesOf(await natively.table())).toEqual({ not_run: 300 });
  expect(requestsTo('acme')).toEqual([]);
});

describe.each([
  ['by signal', 'shut'],
  ['natively', 'shutnative'],
])('while 100 rows sit on a timer of an hour, %s', (how, provider) => {
  test('ends with every row cancelled and the cells that it had', async () => {
    lab.sim.control.close(provider, { durationMs: HOUR });
    const map = await lab.start(spec(100, ['acme.company', `${provider}.email`]));
    const look = () => openCalls(lab, map);
    const before = requestsTo('acme').length;
    await lab.sim.waitFor(() => requestsTo('acme').length === before + 100);
    // Those that were refused wait on a timer, the others in the queue of the closed gate.
    const calls = await eventually(look, (all) => all.filter(({ column }) => column === provider).length === 100);
    const instants = calls.flatMap(({ retryAtMs }) => retryAtMs ?? []);
    expect(Math.min(...instants)).toBeGreaterThan(Date.now() + 0.9 * HOUR);
    if (how === 'natively') await map.handle.cancel();
    else await map.signal('cancel');
    const result = how === 'natively' ? await canceledResult(map) : await map.result();
    expect(result).toMatchObject({ status: 'cancelled', rows: { cancelled: 100, done: 0 } });
    await expectSameCounts(map, result);
    for (const row of await map.table()) expect(row.acme).toMatchObject({ domain: row.domain });
    expect((await map.failures()).map(({ code }) => code)).toEqual(Array.from({ length: 100 }, () => 'CANCELLED'));
  });
});

describe('while paid calls are under way', () => {
  test('an answer within the grace is kept, and the next column does not start', async () => {
    const whole = await lab.start(spec(2, ['late.company'], { cancelGrace: '30s' }));
    const half = await lab.start(spec(2, ['late.email', 'acme.email'], { cancelGrace: '30s' }));
    const before = requestsTo('acme').length;
    await lab.sim.waitFor(() => requestsTo('late').length === 4);
    await Promise.all([whole.signal('cancel'), half.signal('cancel')]);
    expect(await whole.result()).toMatchObject({ status: 'cancelled', rows: { done: 2 } });
    expect(await half.result()).toMatchObject({ status: 'cancelled', rows: { cancelled: 2 } });
    for (const row of await half.table()) {
      expect(row.late).toMatchObject({ email: expect.stringContaining(String(row.domain)) });
      expect(row._error).toMatch(/^CANCELLED:/);
    }
    expect(requestsTo('late')).toHaveLength(4);
    expect(requestsTo('acme')).toHaveLength(before);
  });

  test('after the grace a call under a key is cancelled, and its billing id is in the failures file', async () => {
    const map = await lab.start(spec(3, ['keyed.company'], { cancelGrace: '1s' }));
    await lab.sim.waitFor(() => requestsTo('keyed').length === 3);
    await map.signal('cancel');
    expect(await map.result()).toMatchObject({ status: 'cancelled', rows: { cancelled: 3, unknown: 0 } });
    const failures = await map.failures();
    expect(failures.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => 'CANCELLED_AFTER_SEND'));
    const told = failures.map(({ billing }) => (billing as { idempotencyKey: string } | null)?.idempotencyKey);
    expect(told.sort()).toEqual(
      requestsTo('keyed')
        .map(({ idempotencyKey }) => idempotencyKey)
        .sort(),
    );
  });

  test('after the grace a call without a key is unknown, and is not sent again', async () => {
    const map = await lab.start(spec(3, ['keyless.company'], { cancelGrace: '1s' }));
    await lab.sim.waitFor(() => requestsTo('keyless').length === 3);
    await map.handle.cancel();
    expect((await canceledResult(map)).rows).toMatchObject({ unknown: 3, cancelled: 0 });
    for (const failure of await map.failures()) {
      expect(failure).toMatchObject({
        status: 'unknown',
        code: 'CANCELLED_AFTER_SEND',
        tool: 'keyless.company',
        billing: { billingRequestId: expect.any(String), idempotencyKey: null },
      });
    }
    expect(requestsTo('keyless')).toHaveLength(3);
  });
});

test('free reads under way are given up at once, whatever the grace', async () => {
  const map = await lab.start(spec(3, ['free.company'], { cancelGrace: '10m' }));
  await lab.sim.waitFor(() => requestsTo('free').length === 3);
  await map.signal('cancel');
  expect(await map.result()).toMatchObject({ status: 'cancelled', rows: { cancelled: 3 } });
  expect(requestsTo('free')).toHaveLength(3);
});

test('in the middle of several pages nothing new is sent, and done, cancelled and not run make up the whole', async () => {
  const map = await lab.start(spec(600, ['paced.company'], { concurrency: { rows: 10 } }));
  await lab.sim.waitFor(() => requestsTo('paced').length >= 12);
  await map.signal('cancel');
  await map.signal('cancel');
  const result = await map.result();
  const sent = requestsTo('paced').length;
  expect(sent).toBeLessThan(100);
  expect(result.rows.done).toBe(sent);
  expect(result.rows.done + result.rows.cancelled + result.rows.not_run).toBe(600);
  expect(result.rows.not_run).toBeGreaterThan(500);
  await expectSameCounts(map, result);
  expect((await map.table()).map(({ domain }) => domain)).toEqual(domainRows(600).map(({ domain }) => domain));
});

test('a paused map can be cancelled', async () => {
  const map = await lab.start(spec(6, ['late.company'], { concurrency: { rows: 2 } }));
  const before = requestsTo('late').length;
  await lab.sim.waitFor(() => requestsTo('late').length === before + 2);
  await map.signal('pause');
  await map.signal('cancel');
  const result = await map.result();
  expect(result).toMatchObject({ status: 'cancelled', rows: { not_run: 4 } });
  await expectSameCounts(map, result);
});

test('after the end a signal is refused by the server', async () => {
  const map = await lab.start(spec(1, ['acme.company']));
  await map.result();
  await expect(map.signal('cancel')).rejects.toThrow(WorkflowNotFoundError);
  await map.handle.cancel().catch(() => undefined); // servers differ in whether they mind
  expect((await map.handle.describe()).status.name).toBe('COMPLETED');
});
