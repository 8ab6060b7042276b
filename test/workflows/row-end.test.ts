// A row that ends in the very workflow task in which one of its calls is told to wait: nothing may begin to wait for nobody.
import { join } from 'node:path';
import { eventually } from '../helpers/eventually';
import { type MapLab, openMapLab } from '../helpers/map-lab';
import { waitingCalls, withPart } from '../helpers/part-workers';
import { rowIdsOf, rowResult } from '../helpers/row-history';

const workflowsPath = join(__dirname, 'fixtures', 'index.ts');
const HOUR_MS = 3_600_000;

let lab: MapLab;

beforeAll(async () => {
  const closings = [{ atRequest: 1, durationMs: HOUR_MS }];
  lab = await openMapLab({
    sim: { providers: { quick: { missRate: 0 }, closed: { missRate: 0, closings, latencyMs: 500 } } },
    providers: { quick: {}, closed: {} },
    workflowsPath,
  });
});
afterAll(() => lab.close());

test('a hold that comes in together with the end of the program is not waited for', async () => {
  const map = await lab.start({ dataset: { rows: [{ domain: 'a.example' }] }, map: 'leaving' });
  const bothWait = async () => (await waitingCalls(lab, 'quick')) + (await waitingCalls(lab, 'closed'));
  await withPart(lab, 'main', () => eventually(bothWait, (waiting) => waiting === 2), workflowsPath);
  await withPart(lab, 'providers', () => lab.sim.waitFor((entries) => entries.length === 2));
  await lab.worker();
  expect(await map.result()).toMatchObject({ rows: { done: 1 } });
  const [id] = await rowIdsOf(lab.client, map.mapId);
  expect(await rowResult(lab.client, id as string)).toMatchObject({
    ledger: [
      { column: 'held', status: 'cancelled' },
      { column: 'quick', status: 'done' },
    ],
  });
});
