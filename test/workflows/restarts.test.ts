// A hold outlives the workers: timer, cursor and billing id are in history, and nothing is asked before its instant.
import { createHash } from 'node:crypto';
import { billingRequestId } from '../../contracts/keys';
import { FIRST_CURSOR } from '../../contracts/outcomes';
import type { RowOutcome } from '../../contracts/results';
import { eventually } from '../helpers/eventually';
import { type MapLab, openMapLab } from '../helpers/map-lab';
import { dispatchesOf, rowIdsOf, rowResult } from '../helpers/row-history';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: { providers: { acme: { price: 0.01, missRate: 0, closings: [{ atRequest: 1, durationMs: 20_000 }] } } },
    providers: { acme: {} },
  });
});
afterAll(() => lab.close());

test('a hold of 20 s survives two killed workers with its cursor, and the attempts are counted right', async () => {
  const first = await lab.workerProcess();
  const map = await lab.start({
    dataset: { rows: [{ domain: 'a.example' }], key: 'domain' },
    columns: [{ name: 'firm', tool: 'acme.company', input: { domain: '{{ row.domain }}' } }],
  });
  const calls = async () => dispatchesOf(lab.client, (await rowIdsOf(lab.client, map.mapId))[0] as string);
  await eventually(calls, ([call]) => call?.outcome?.kind === 'hold');
  await first.kill();
  const second = await lab.workerProcess();
  await second.kill();
  expect(lab.sim.ledger).toHaveLength(1);
  await lab.workerProcess();
  expect(await map.result()).toMatchObject({ rows: { done: 1 } });

  const dispatches = await calls();
  const throttled = { invocationAttempt: 1, retryFromInvocationAttempt: 1, throttles: 1, billingNumber: 1 };
  expect(dispatches[0]).toMatchObject({
    input: { cursor: FIRST_CURSOR },
    outcome: { kind: 'hold', reason: 'throttled', cursor: throttled },
  });
  expect(dispatches[1]?.input.cursor).toEqual(throttled);
  const [id] = await rowIdsOf(lab.client, map.mapId);
  const outcome = (await rowResult(lab.client, id as string)) as RowOutcome;
  const receiptKey = outcome.ledger[0]?.receipt?.receiptKey as string;
  const keys = [0, 1].map((number) => billingRequestId(receiptKey, number, sha256));
  expect(lab.sim.ledger.map(({ idempotencyKey }) => idempotencyKey)).toEqual(keys);
  expect(outcome).toMatchObject({
    ledger: [{ holds: 1, attempts: 2, receipt: { billing: { billingRequestId: keys[1], invocationAttempt: 2 } } }],
  });
}, 120_000);
