// SIGTERM of a worker at several moments: it ends with exit code 0, and the next one finishes every row without a second request.
import type { WorkerProcess } from '../../examples/demo/worker-process';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';
import { callColumns } from './look';

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: {
      providers: {
        once: { price: 0.01, missRate: 0, latencyMs: 600 },
        shut: { price: 0.01, missRate: 0, closings: [{ atRequest: 1, durationMs: 6000 }] },
      },
    },
    // Without keys a request that was lost or sent twice would show: as an unknown row, or as a second charge.
    providers: { once: { idempotent: false, limits: { concurrency: 6 } }, shut: { idempotent: false } },
  });
});
afterAll(() => lab.close());

const requestsTo = (provider: string) => lab.sim.ledger.filter((entry) => entry.provider === provider);

async function endsWell(worker: WorkerProcess): Promise<void> {
  expect(await worker.stop()).toBe(0);
  expect(worker.log()).not.toMatch(/ ERROR /);
}

test('with calls under way, with calls in the queue and with a hold, nothing is lost and nothing is sent twice', async () => {
  let worker = await lab.workerProcess();
  const map = await lab.start({
    dataset: { rows: domainRows(20), key: 'domain' },
    columns: callColumns('once.company', 'shut.email'),
    concurrency: { rows: 15 },
  });
  await lab.sim.waitFor(() => requestsTo('once').length >= 4);
  await endsWell(worker);
  worker = await lab.workerProcess();
  await lab.sim.waitFor(() => requestsTo('shut').some(({ verdict }) => verdict === 'closed'));
  await endsWell(worker);
  worker = await lab.workerProcess();
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: 20 } });
  await endsWell(worker);
  expect(requestsTo('once')).toHaveLength(20);
  expect(requestsTo('shut').filter(({ charged }) => charged)).toHaveLength(20);
  expect(lab.sim.summary()).toMatchObject({ charges: 40, duplicateCharges: 0 });
}, 180_000);
