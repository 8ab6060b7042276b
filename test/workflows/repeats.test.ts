// What is sent again, under which billing id, and what is never sent twice (design 2, rules 6, 7 and 8).

import type { SendingMark } from '../../contracts/outcomes';
import type { LedgerEntry } from '../../examples/provider-sim/ledger';
import type { SimOptions } from '../../examples/provider-sim/options';
import { type MapLab, openMapLab, type StartedMap } from '../helpers/map-lab';
import { dispatchesOf, heardOfCall, rowIdsOf, rowResult } from '../helpers/row-history';

let lab: MapLab;
let broken: StartedMap;

const RESET = 'reset.example';
const ERROR = 'error.example';
const GOOD = 'good.example';

beforeAll(async () => {
  const quiet = { price: 0.01, missRate: 0 };
  const faulty: SimOptions['providers'][string] = {
    price: 0.01,
    missRate: 0,
    faults: [
      { kind: 'reset-after-charge', inputs: [RESET], times: 1 },
      { kind: 'error-before-charge', inputs: [ERROR], times: 2 },
    ],
  };
  lab = await openMapLab({
    sim: {
      providers: {
        keyed: faulty,
        keyless: faulty,
        free: { ...faulty, price: 0 },
        writing: { ...faulty, price: 0 },
        throttling: { price: 0.01, missRate: 0, closings: [{ atRequest: 1, durationMs: 8000 }] },
        // The first request is charged and its answer lost, the second one is refused.
        overloaded: {
          ...quiet,
          faults: [{ kind: 'reset-after-charge', requests: [1] }],
          closings: [{ atRequest: 2, durationMs: 8000 }],
        },
        broken: { faults: [{ kind: 'error-before-charge', rate: 1 }] },
        slow: { missRate: 0, latencyMs: 2500 },
      },
    },
    providers: {
      keyed: {},
      keyless: { idempotent: false },
      free: { idempotent: false, price: 0 },
      writing: { idempotent: false, price: 0, effect: 'write' },
      throttling: {},
      overloaded: {},
      broken: {},
      slow: { idempotent: false },
    },
  });
  await lab.worker();
  broken = await run('broken', [GOOD]);
});
afterAll(() => lab.close());

const run = (provider: string, domains: string[]): Promise<StartedMap> =>
  lab.start({
    dataset: { rows: domains.map((domain) => ({ domain })), key: 'domain' },
    columns: [{ name: 'firm', tool: `${provider}.company`, input: { domain: '{{ row.domain }}' } }],
  });

const requestsOf = (provider: string, domain: string): LedgerEntry[] =>
  lab.sim.ledger.filter((entry) => entry.provider === provider && entry.input.domain === domain);
const keysOf = (provider: string, domain: string) => requestsOf(provider, domain).map((entry) => entry.idempotencyKey);

test('under a key the same request is sent again after a reset and after server errors, and is charged once', async () => {
  const map = await run('keyed', [RESET, ERROR, GOOD]);
  expect(await map.result()).toMatchObject({ rows: { done: 3 } });
  expect(requestsOf('keyed', RESET).map(({ verdict, charged }) => [verdict, charged])).toEqual([
    ['fault', true],
    ['replayed', false],
  ]);
  expect(requestsOf('keyed', ERROR)).toHaveLength(3);
  for (const domain of [RESET, ERROR]) expect(new Set(keysOf('keyed', domain)).size).toBe(1);
  const [id] = await rowIdsOf(lab.client, map.mapId);
  const result = await rowResult(lab.client, id as string);
  expect(result).toMatchObject({
    ledger: [
      { attempts: 2, receipt: { billing: { billingRequestId: keysOf('keyed', RESET)[0], invocationAttempt: 2 } } },
    ],
  });
});

test('a priced call without a key ends as unknown after a reset and after a server error, and is sent once', async () => {
  const map = await run('keyless', [RESET, ERROR, GOOD]);
  expect(await map.result()).toMatchObject({ rows: { unknown: 2, done: 1 } });
  expect(requestsOf('keyless', RESET)).toHaveLength(1);
  expect(requestsOf('keyless', ERROR)).toHaveLength(1);
  expect(await map.failures()).toMatchObject([
    { status: 'unknown', code: 'AMBIGUOUS_OUTCOME' },
    { status: 'unknown', code: 'AMBIGUOUS_OUTCOME' },
  ]);
});

test('a writing call without a key is no different, be it free', async () => {
  const map = await run('writing', [RESET, ERROR, GOOD]);
  expect(await map.result()).toMatchObject({ rows: { unknown: 2, done: 1 } });
  expect(requestsOf('writing', RESET)).toHaveLength(1);
});

test('a free read is tried again', async () => {
  const map = await run('free', [RESET, ERROR, GOOD]);
  expect(await map.result()).toMatchObject({ rows: { done: 3 } });
  expect([requestsOf('free', RESET).length, requestsOf('free', ERROR).length]).toEqual([2, 3]);
});

test('a 429 released what it had reserved: after its hold the next request is a new one to bill', async () => {
  const map = await run('throttling', [GOOD]);
  expect(await map.result()).toMatchObject({ rows: { done: 1 } });
  const keys = keysOf('throttling', GOOD);
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a 429 says nothing of an earlier request whose answer was lost: the same one is sent again, and charged once', async () => {
  const map = await run('overloaded', [GOOD]);
  expect(await map.result()).toMatchObject({ rows: { done: 1 } });
  const requests = requestsOf('overloaded', GOOD);
  expect(requests.map(({ verdict }) => verdict)).toEqual(['fault', 'closed', 'replayed']);
  expect(requests.filter(({ charged }) => charged)).toHaveLength(1);
  expect(new Set(keysOf('overloaded', GOOD)).size).toBe(1);
});

test('before an unrepeatable request leaves, its mark with the billing id is on the server', async () => {
  const map = await run('slow', [GOOD]);
  await lab.sim.waitFor(() => requestsOf('slow', GOOD).length === 1);
  const [id] = await rowIdsOf(lab.client, map.mapId);
  const mark = await heardOfCall(lab.client, id as string);
  expect(mark).toMatchObject({ phase: 'sending', billing: { idempotencyKey: null, invocationAttempt: 1 } });
  await map.result();
  const [dispatch] = await dispatchesOf(lab.client, id as string);
  expect(dispatch?.outcome).toMatchObject({
    kind: 'completed',
    receipt: { billing: { billingRequestId: (mark as SendingMark).billing.billingRequestId } },
  });
});

test('five server errors end a call: five requests under one key, then RETRIES_EXHAUSTED', async () => {
  expect(await broken.result()).toMatchObject({ rows: { failed: 1 } });
  expect(await broken.failures()).toMatchObject([{ code: 'RETRIES_EXHAUSTED', repairable: true }]);
  const keys = keysOf('broken', GOOD);
  expect([keys.length, new Set(keys).size]).toEqual([5, 1]);
  const [id] = await rowIdsOf(lab.client, broken.mapId);
  const dispatches = await dispatchesOf(lab.client, id as string);
  expect(dispatches.length).toBeGreaterThan(1);
  dispatches.slice(1).forEach(({ input }, at) => {
    expect(input.cursor).toEqual(dispatches[at]?.outcome?.cursor);
  });
});
