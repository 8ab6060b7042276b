// A row that ends while a call of it is being told to wait: nothing may begin to wait for nobody.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { QUERY } from '../../contracts/names';
import type { RowHolds } from '../../contracts/results';
import { eventually } from '../helpers/eventually';
import { type MapLab, openMapLab } from '../helpers/map-lab';
import { rowIdsOf, rowResult } from '../helpers/row-history';

/** Refuses for an hour, but only when the test lets it answer. */
const refusals: ServerResponse[] = [];
const closed = createServer((_, response) => {
  refusals.push(response);
});

let lab: MapLab;

beforeAll(async () => {
  closed.listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const baseUrl = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
  lab = await openMapLab({
    // Slow enough that the other call has been sent when this one ends the row.
    sim: { providers: { quick: { missRate: 0, latencyMs: 1000 } } },
    providers: { quick: {}, closed: { baseUrl } },
    workflowsPath: join(__dirname, 'fixtures', 'index.ts'),
  });
  await lab.worker();
});
afterAll(async () => {
  await lab.close();
  closed.close();
});

test('a hold that comes in after the program has ended is not waited for', async () => {
  const map = await lab.start({ dataset: { rows: [{ domain: 'a.example' }] }, map: 'leaving' });
  const rowId = async () => (await rowIdsOf(lab.client, map.mapId))[0];
  const id = (await eventually(rowId, (found) => found !== undefined)) as string;
  const control = async () => (await lab.client.workflow.getHandle(id).query<RowHolds, []>(QUERY.holds)).control;
  await eventually(control, (wanted) => wanted === 'finish');
  for (const response of refusals) response.writeHead(429, { 'retry-after': '3600' }).end();
  expect(await map.result()).toMatchObject({ rows: { done: 1 } });
  expect(await rowResult(lab.client, id)).toMatchObject({
    ledger: [
      { column: 'held', status: 'cancelled', attempts: 1 },
      { column: 'quick', status: 'done' },
    ],
  });
});
