// Pause and resume, judged by the provider's ledger: sent calls finish, unsent ones are taken back, timers keep their instants.
import { pageWorkflowId } from '../../contracts/ids';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab, type StartedMap } from '../helpers/map-lab';
import { callColumns, openCalls, pageProgress } from './look';

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: {
      providers: {
        slow: { price: 0.01, missRate: 0, latencyMs: 3000 },
        free: { missRate: 0, latencyMs: 4000 },
        shut: { price: 0.01, missRate: 0, closings: [{ atRequest: 1, durationMs: 25_000 }] },
      },
    },
    providers: {
      slow: { limits: { concurrency: 3 } },
      free: { price: 0, idempotent: false },
      shut: {},
    },
  });
  await lab.worker();
});
afterAll(() => lab.close());

const spec = (rows: number, tool: string, concurrency = 200) => ({
  dataset: { rows: domainRows(rows), key: 'domain' },
  columns: callColumns(tool),
  concurrency: { rows: concurrency },
});

const requestsTo = (provider: string) => lab.sim.ledger.filter((entry) => entry.provider === provider);

/** The open calls of the map, once each of them stands still because of the pause. */
const standingStill = (map: StartedMap) =>
  eventually(
    () => openCalls(lab, map),
    (calls) => calls.length > 0 && calls.every(({ state }) => state === 'paused'),
  );

test('sent calls finish, the others are taken back and dispatched again, each is bought once', async () => {
  const map = await lab.start(spec(12, 'slow.company', 8));
  await lab.sim.waitFor(() => requestsTo('slow').length === 3);
  await map.signal('pause');
  const still = await standingStill(map);
  const sent = requestsTo('slow').length;
  expect(sent).toBeLessThan(12);
  // A row that has ended counts once its page has heard of it.
  const page = await eventually(
    () => pageProgress(lab, pageWorkflowId(map.mapId, 0)),
    ({ rows }) => rows.done === sent,
  );
  expect(page).toMatchObject({
    paused: true,
    rows: { done: sent },
    open: still.length,
    notStarted: 12 - sent - still.length,
  });
  // In quick succession: orders may overtake each other between map, page and row, and the last one must win.
  for (const order of ['pause', 'resume', 'pause', 'resume'] as const) await map.signal(order);
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: 12 } });
  expect(requestsTo('slow')).toHaveLength(12);
  expect(lab.sim.summary()).toMatchObject({ duplicateCharges: 0 });
});

test('free reads under way finish as well: a pause is no cancel', async () => {
  const map = await lab.start(spec(2, 'free.company'));
  await lab.sim.waitFor(() => requestsTo('free').length === 2);
  await map.signal('pause');
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: 2 } });
  expect(requestsTo('free')).toHaveLength(2);
});

test('a timer keeps its instant, and when it ends nothing is sent until the map is resumed', async () => {
  const map = await lab.start(spec(1, 'shut.company'));
  const holding = () =>
    eventually(
      () => openCalls(lab, map),
      ([call]) => call?.state === 'hold',
    );
  const [before] = await holding();
  await map.signal('pause');
  await eventually(
    () => map.progress(),
    ({ state }) => state === 'paused',
  );
  expect((await holding())[0]?.retryAtMs).toBe(before?.retryAtMs);
  await map.signal('resume');
  await map.signal('pause');
  expect((await holding())[0]?.retryAtMs).toBe(before?.retryAtMs);
  await standingStill(map);
  expect(requestsTo('shut')).toHaveLength(1);
  await map.signal('resume');
  expect(await map.result()).toMatchObject({ rows: { done: 1 } });
  const [refused, answered] = requestsTo('shut');
  expect(refused?.verdict).toBe('closed');
  expect(answered?.arrivedAtWallMs).toBeGreaterThanOrEqual(before?.retryAtMs ?? Number.POSITIVE_INFINITY);
}, 120_000);
