// A map of more pages than one workflow drives: sections of 3 pages, pages of 5 rows.
import { observeMap } from '../../client/observe-map';
import type { Server } from '../../client/server';
import { pageWorkflowId, sectionWorkflowId } from '../../contracts/ids';
import { MAIN_TASK_QUEUE, WORKFLOW } from '../../contracts/names';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab, type StartedMap } from '../helpers/map-lab';
import { eventsOf } from '../helpers/row-history';
import { canceledResult, expectSameCounts } from './ended';
import { callColumns } from './look';

jest.setTimeout(120_000);

/** Eight sections: 22 pages, the last one of a single row. */
const ROWS = 106;
const FOR_EVER = '5m';
let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: {
      providers: {
        acme: { price: 0.01, missRate: 0 },
        slow: { price: 0.01, missRate: 0, latencyMs: 400 },
        lower: { price: 0.01, missRate: 0, latencyMs: 400 },
        cut: { price: 0.01, missRate: 0 },
        stuck: { missRate: 0, faults: [{ kind: 'hang-after-charge', inputs: ['r3.example'] }] },
        hung: { faults: [{ kind: 'hang-after-charge', rate: 1 }] },
      },
    },
    providers: {
      acme: {},
      slow: {},
      lower: {},
      cut: {},
      stuck: { price: 0, idempotent: false, timeout: FOR_EVER },
      hung: { price: 0, idempotent: false, timeout: FOR_EVER },
    },
    environment: { SLUICE_PAGE_ROWS: '5', SLUICE_SECTION_PAGES: '3' },
  });
  await lab.worker();
});
afterAll(() => lab.close());

const spec = (tool: string, rest: object = {}) => ({
  dataset: { rows: domainRows(ROWS), key: 'domain' },
  columns: callColumns(tool),
  concurrency: { rows: 12 },
  ...rest,
});
const requestsTo = (provider: string) => lab.sim.ledger.filter((entry) => entry.provider === provider);
const domains = domainRows(ROWS).map(({ domain }) => domain);

async function expectWholeTable(map: StartedMap): Promise<void> {
  expect((await map.table()).map(({ domain }) => domain)).toEqual(domains);
}

/** What `sluice status` shows. */
function look(map: StartedMap) {
  const { address, namespace, client } = lab;
  const server = {
    address,
    namespace,
    client,
    connection: client.connection,
    taskQueue: MAIN_TASK_QUEUE,
  } as unknown as Server;
  return observeMap(server, map.mapId, Date.now).look();
}

test('the table is whole and in source order, the sums agree, and the map started sections alone', async () => {
  const map = await lab.start(spec('acme.company'));
  const result = await map.result();
  expect(result).toMatchObject({ status: 'completed', rows: { done: ROWS }, cardinality: { outputRows: ROWS } });
  await expectSameCounts(map, result);
  await expectWholeTable(map);
  expect(requestsTo('acme')).toHaveLength(ROWS);
  const started = (await eventsOf(lab.client, map.mapId)).flatMap(
    ({ startChildWorkflowExecutionInitiatedEventAttributes: child }) => child?.workflowType?.name ?? [],
  );
  expect(started).toEqual(Array.from({ length: 8 }, () => WORKFLOW.mapSection));
});

test('a row that does not end holds up neither its section nor the next ones', async () => {
  const map = await lab.start(spec('stuck.company'));
  const progress = await eventually(
    () => map.progress(),
    ({ settled }) => settled.rows.done > ROWS - 20,
  );
  expect(progress.openPages.map(({ workflowId }) => workflowId)).toContain(sectionWorkflowId(map.mapId, 0));
  await eventually(
    () => Promise.resolve(requestsTo('stuck')),
    (requests) => requests.length === ROWS,
  );
  expect(
    await eventually(
      () => look(map),
      (seen) => seen?.ended === ROWS - 1,
    ),
  ).toMatchObject({ open: 1 });
  await map.signal('cancel');
  expect(await map.result()).toMatchObject({ status: 'cancelled', rows: { done: ROWS - 1, cancelled: 1 } });
  await expectWholeTable(map);
});

test('open rows of all sections together never exceed the concurrency, also after it was changed', async () => {
  const map = await lab.start(spec('hung.company'));
  await lab.sim.waitFor(() => requestsTo('hung').length === 12);
  expect(
    await eventually(
      () => look(map),
      (seen) => seen?.open === 12,
    ),
  ).toMatchObject({ notStarted: ROWS - 12 });
  await map.signal('setConcurrency', { rows: 20 });
  await lab.sim.waitFor(() => requestsTo('hung').length === 20);
  expect(
    await eventually(
      () => look(map),
      (seen) => seen?.open === 20,
    ),
  ).toMatchObject({ notStarted: ROWS - 20 });
  await map.handle.cancel();
  const result = await canceledResult(map);
  expect(result).toMatchObject({ rows: { cancelled: 20, not_run: ROWS - 20 } });
  await expectSameCounts(map, result);
  await expectWholeTable(map);
  expect(requestsTo('hung')).toHaveLength(20);
});

test('a pause reaches every row, and after resume each is bought once', async () => {
  const map = await lab.start(spec('slow.company'));
  await lab.sim.waitFor(() => requestsTo('slow').length >= 30);
  await map.signal('pause');
  await eventually(
    () => look(map),
    (seen) => seen?.state === 'paused' && seen.open === (seen.providers[0]?.paused ?? 0),
  );
  const paused = requestsTo('slow').length;
  expect(paused).toBeLessThan(ROWS);
  await map.signal('resume');
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: ROWS } });
  expect(requestsTo('slow')).toHaveLength(ROWS);
});

test('a cap of the map counts over all sections', async () => {
  const before = requestsTo('acme').length;
  const map = await lab.start(spec('acme.email', { limits: { maxCalls: 40 } }));
  await eventually(
    () => map.progress(),
    ({ state, rows }) => state === 'paused' && rows.done === 40,
  );
  expect(requestsTo('acme')).toHaveLength(before + 40);
  await map.signal('setCaps', { maxCalls: null });
  expect(await map.result()).toMatchObject({ rows: { done: ROWS } });
});

test('a lower concurrency holds for all sections together, and the map ends', async () => {
  const before = requestsTo('lower').length;
  const map = await lab.start(spec('lower.company', { concurrency: { rows: 20 } }));
  await lab.sim.waitFor(() => requestsTo('lower').length >= before + 20);
  await map.signal('setConcurrency', { rows: 3 });
  await eventually(
    () => look(map),
    (seen) => seen !== null && seen.ended > 0 && seen.open <= 3,
  );
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: ROWS } });
  expect(requestsTo('lower')).toHaveLength(before + ROWS);
  await expectWholeTable(map);
});

test('a map that was cut short goes on in a redrive with sections of its own: each row is bought once, and the table is whole', async () => {
  const bought = 40;
  const map = await lab.start(spec('cut.company', { limits: { maxCalls: bought } }));
  await eventually(
    () => map.progress(),
    ({ state, rows }) => state === 'paused' && rows.done === bought,
  );
  await map.signal('cancel');
  expect((await map.result()).rows.done).toBe(bought);
  const again = await lab.start({ redrive: { map: map.mapId } }, `${map.mapId}-again`);
  await again.signal('setCaps', { maxCalls: null });
  const result = await again.result();
  expect(result).toMatchObject({ status: 'completed', rows: { done: ROWS }, cardinality: { outputRows: ROWS } });
  expect(result.from).toMatchObject({ [map.mapId]: { done: bought }, [again.mapId]: { done: ROWS - bought } });
  expect(requestsTo('cut')).toHaveLength(ROWS);
  await expectWholeTable(map);
  expect((await lab.client.workflow.getHandle(sectionWorkflowId(again.mapId, 0)).describe()).type).toBe(
    WORKFLOW.mapSection,
  );
});

test('a section that is ended by hand leaves its open rows unknown, and the others run to their end', async () => {
  // The row that hangs is one of its rows: it cannot have ended by itself.
  const map = await lab.start(spec('stuck.email'));
  const before = requestsTo('stuck').length;
  await lab.sim.waitFor(() => requestsTo('stuck').length > before);
  await lab.client.workflow.getHandle(sectionWorkflowId(map.mapId, 0)).terminate('by hand');
  const { rows } = await map.result();
  expect(rows.done).toBeGreaterThanOrEqual(ROWS - 15);
  expect(rows.done + rows.unknown + rows.cancelled + rows.not_run).toBe(ROWS);
  await expectWholeTable(map);
  expect((await lab.client.workflow.getHandle(pageWorkflowId(map.mapId, 21)).describe()).status.name).toBe('COMPLETED');
});
