// How many rows are open at once, judged by the histories of pages.
import { pageWorkflowId } from '../../contracts/ids';
import { INTERNAL_SIGNAL } from '../../contracts/names';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';
import { eventsOf } from '../helpers/row-history';

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: { providers: { acme: { missRate: 0, latencyMs: 250 }, slow: { missRate: 0, latencyMs: 3000 } } },
    providers: { acme: {}, slow: {} },
    environment: { SLUICE_PARKED_AFTER: '1s' },
  });
  await lab.worker();
});
afterAll(() => lab.close());

const spec = (provider: string, rows: number, concurrency: object) => ({
  dataset: { rows: domainRows(rows), key: 'domain' },
  columns: [{ name: 'firm', tool: `${provider}.company`, input: { domain: '{{ row.domain }}' } }],
  concurrency,
});

/** Open rows of the first page after each of its events, and how often its room had been changed by then. */
async function openRows(mapId: string): Promise<{ open: number; roomChanges: number }[]> {
  let open = 0;
  let roomChanges = 0;
  const events = await eventsOf(lab.client, pageWorkflowId(mapId, 0));
  return events.map((event) => {
    if (event.startChildWorkflowExecutionInitiatedEventAttributes) open += 1;
    if (event.childWorkflowExecutionCompletedEventAttributes) open -= 1;
    if (event.workflowExecutionSignaledEventAttributes?.signalName === INTERNAL_SIGNAL.setRoom) roomChanges += 1;
    return { open, roomChanges };
  });
}
const most = (steps: { open: number }[]) => Math.max(...steps.map(({ open }) => open));

test('with one row and none parked, two rows are never open, however slow they are', async () => {
  const map = await lab.start(spec('slow', 3, { rows: 1, parkedRows: 0 }));
  expect(await map.result()).toMatchObject({ rows: { done: 3 } });
  expect(most(await openRows(map.mapId))).toBe(1);
  expect(lab.sim.summary().providers.slow?.maxInFlight).toBe(1);
});

test('a row that is open for long parks when it may, and the next one starts', async () => {
  const map = await lab.start(spec('slow', 3, { rows: 1, parkedRows: 1 }));
  expect(await map.result()).toMatchObject({ rows: { done: 3 } });
  expect(most(await openRows(map.mapId))).toBe(2);
});

test('a page whose room is lowered starts no row before it fits', async () => {
  const map = await lab.start(spec('acme', 30, { rows: 6, parkedRows: 0 }));
  await lab.sim.waitFor((entries) => entries.filter(({ provider }) => provider === 'acme').length >= 6);
  await map.signal('setConcurrency', { rows: 1 });
  expect(await map.result()).toMatchObject({ rows: { done: 30 } });
  const steps = await openRows(map.mapId);
  expect(most(steps)).toBe(6);
  const lowered = steps.findIndex(({ roomChanges }) => roomChanges === 1);
  expect(lowered).toBeGreaterThan(0);
  const grew = steps.slice(lowered).filter(({ open }, at) => open > 1 && open > (steps[lowered + at - 1]?.open ?? 0));
  expect(grew).toEqual([]);
});
