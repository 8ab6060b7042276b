// `temporal workflow reset` of a page and of a map, by the same request: what was bought stays bought, and each row is in the table once.
import { pageWorkflowId } from '../../contracts/ids';
import type { MapResult } from '../../contracts/results';
import { domainRows, type MapLab, openMapLab, type StartedMap } from '../helpers/map-lab';
import { eventsOf } from '../helpers/row-history';
import { callColumns } from './look';

jest.setTimeout(120_000);

const ROWS = 12;
let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: {
      providers: {
        early: { latencyMs: 300, missRate: 0 },
        whole: { latencyMs: 300, missRate: 0 },
        late: { missRate: 0 },
      },
    },
    providers: { early: { limits: { concurrency: 2 } }, whole: { limits: { concurrency: 2 } }, late: {} },
    environment: { SLUICE_PAGE_ROWS: '6' },
  });
  await lab.worker();
});
afterAll(() => lab.close());

const start = (provider: string, mapId: string) =>
  lab.start({ dataset: { rows: domainRows(ROWS), key: 'domain' }, columns: callColumns(`${provider}.company`) }, mapId);

const requestsTo = (provider: string) => lab.sim.ledger.filter((entry) => entry.provider === provider);

/** Begins the workflow anew after its first workflow task; the run id of its new life. */
async function reset(workflowId: string): Promise<string> {
  const events = await eventsOf(lab.client, workflowId);
  const first = events.find(({ workflowTaskCompletedEventAttributes: completed }) => completed);
  const { runId } = await lab.client.workflowService.resetWorkflowExecution({
    namespace: lab.namespace,
    workflowExecution: { workflowId },
    reason: 'by hand',
    requestId: `reset of ${workflowId}`,
    workflowTaskFinishEventId: first?.eventId ?? null,
  });
  return runId;
}

async function expectBoughtOnce(provider: string, map: StartedMap, result: MapResult): Promise<void> {
  expect(result).toMatchObject({ status: 'completed', rows: { done: ROWS } });
  expect((await map.table()).map(({ domain, _status }) => [domain, _status])).toEqual(
    domainRows(ROWS).map(({ domain }) => [domain, 'done']),
  );
  expect(requestsTo(provider)).toHaveLength(ROWS);
}

const resultOfRun = (map: StartedMap, runId: string) =>
  lab.client.workflow.getHandle(map.mapId, runId).result() as Promise<MapResult>;

test('a page that is reset while it runs', async () => {
  const map = await start('early', 'page-reset');
  await lab.sim.waitFor(() => requestsTo('early').length >= 3);
  await reset(pageWorkflowId(map.mapId, 0));
  await expectBoughtOnce('early', map, await map.result());
});

test('a map that is reset while its pages run', async () => {
  const map = await start('whole', 'map-reset');
  await lab.sim.waitFor(() => requestsTo('whole').length >= 3);
  await expectBoughtOnce('whole', map, await resultOfRun(map, await reset(map.mapId)));
});

test('a map that is reset after its end', async () => {
  const map = await start('late', 'ended-reset');
  const before = await map.result();
  const table = await map.table();
  const again = await resultOfRun(map, await reset(map.mapId));
  await expectBoughtOnce('late', map, again);
  expect(again).toEqual(before);
  expect(await map.table()).toEqual(table);
});
