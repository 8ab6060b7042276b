// A worker that is told to stop gives back the calls that it has not sent (design 2, rule 11).
import { FIRST_CURSOR } from '../../contracts/outcomes';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';
import { dispatchesOf, rowIdsOf } from '../helpers/row-history';

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: { providers: { acme: { price: 0.01, missRate: 0, latencyMs: 2500 } } },
    // The second call waits inside its activity for the window, while the first one is under way.
    providers: { acme: { idempotent: false, limits: { rate: [{ limit: 1, per: '4s' }], concurrency: 2 } } },
  });
});
afterAll(() => lab.close());

/** Calls of the map that a worker has taken from the queue. */
async function taken(ids: string[]): Promise<number> {
  const rows = await Promise.all(ids.map((id) => lab.client.workflow.getHandle(id).describe()));
  return rows.flatMap(({ raw }) => raw.pendingActivities ?? []).filter(({ state }) => state === 2).length;
}

test('the call that waits comes back as a hold, the one under way ends, and the next worker finishes both', async () => {
  const first = await lab.workerProcess();
  const map = await lab.start({
    dataset: { rows: domainRows(2), key: 'domain' },
    columns: [{ name: 'firm', tool: 'acme.company', input: { domain: '{{ row.domain }}' } }],
  });
  await lab.sim.waitFor((entries) => entries.length === 1);
  await eventually(
    async () => taken(await rowIdsOf(lab.client, map.mapId)),
    (count) => count === 2,
  );
  await first.stop();
  await lab.workerProcess();
  expect(await map.result()).toMatchObject({ rows: { done: 2 } });
  expect(lab.sim.summary()).toMatchObject({ requests: 2, charges: 2, duplicateCharges: 0 });
  const ids = await rowIdsOf(lab.client, map.mapId);
  const calls = await Promise.all(ids.map((id) => dispatchesOf(lab.client, id)));
  const outcomes = calls.map((dispatches) => dispatches.map(({ outcome }) => outcome));
  // The next worker may hold the call once more, until the window in which the first one sent is over.
  expect(outcomes.map((list) => list.length > 1).sort()).toEqual([false, true]);
  expect(outcomes.find(({ length }) => length > 1)?.[0]).toMatchObject({
    kind: 'hold',
    reason: 'worker_shutdown',
    cursor: FIRST_CURSOR,
  });
}, 120_000);
