// Cancel by signal and by Temporal's own request: whatever the moment, the table is complete and every row has its status.
import { WorkflowNotFoundError } from '@temporalio/client';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';
import { canceledResult, expectSameCounts } from './ended';
import { callColumns, openCalls } from './look';

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
        late: { price: 0.01, missRate: 0, latencyMs: 6000 },
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
  await lab.worker();
});
afterAll(() => lab.close());

const spec = (rows: number, tools: string[], rest: object = {}) => ({
  dataset: { rows: domainRows(rows), key: 'domain' },
  columns: callColumns(...tools),
  ...rest,
});

const requestsTo = (provider: string) => lab.sim.ledger.filter((entry) => entry.provider === provider);

describe.each([
  ['by signal', 'shut', 100],
  ['natively', 'shutnative', 20],
])('while rows sit on a timer of an hour, %s', (how, provider, count) => {
  test(`ends with every one of ${count} rows cancelled and the cells that it had`, async () => {
    lab.sim.control.close(provider, { durationMs: HOUR });
    const map = await lab.start(spec(count, ['acme.company', `${provider}.email`]));
    const before = requestsTo('acme').length;
    await lab.sim.waitFor(() => requestsTo('acme').length === before + count);
    // Those that were refused wait on a timer, the others in the queue of the closed gate.
    const calls = await eventually(
      () => openCalls(lab, map),
      (all) => all.filter(({ column }) => column === provider).length === count,
    );
    const instants = calls.flatMap(({ retryAtMs }) => retryAtMs ?? []);
    expect(Math.min(...instants)).toBeGreaterThan(Date.now() + 0.9 * HOUR);
    if (how === 'natively') await map.handle.cancel();
    else await map.signal('cancel');
    const result = how === 'natively' ? await canceledResult(map) : await map.result();
    expect(result).toMatchObject({ status: 'cancelled', rows: { cancelled: count, done: 0 } });
    await expectSameCounts(map, result);
    for (const row of await map.table()) expect(row.acme).toMatchObject({ domain: row.domain });
    expect((await map.failures()).map(({ code }) => code)).toEqual(Array.from({ length: count }, () => 'CANCELLED'));
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
  for (const failure of await map.failures()) expect(failure).toMatchObject({ code: 'CANCELLED', billing: null });
  expect(requestsTo('free')).toHaveLength(3);
});

test('in the middle of several pages nothing new is sent, and done, cancelled and not run make up the whole', async () => {
  const map = await lab.start(spec(600, ['paced.company'], { concurrency: { rows: 10 } }));
  await lab.sim.waitFor(() => requestsTo('paced').length >= 12);
  await map.signal('cancel');
  await map.signal('cancel');
  const result = await map.result();
  const sent = requestsTo('paced').length;
  expect(sent).toBeLessThan(300);
  expect(result.rows.done).toBe(sent);
  expect(result.rows.done + result.rows.cancelled + result.rows.not_run).toBe(600);
  expect(result.rows.not_run).toBeGreaterThan(250);
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
