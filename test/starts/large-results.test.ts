// A page of 250 results of 100 KB each that all come in while nobody runs workflows: nothing may exceed what Temporal carries.

import { pageWorkflowId } from '../../contracts/ids';
import { callColumns } from '../controls/look';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';
import { waitingCalls, withPart } from '../helpers/part-workers';

const ROWS = 250;
const ANSWER_CHARACTERS = 100_000;

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: { providers: { big: { missRate: 0, answerFilling: ANSWER_CHARACTERS } } },
    providers: { big: { limits: { concurrency: 20 } } },
  });
});
afterAll(() => lab.close());

test('every row is in the table with its whole result, and history holds references', async () => {
  const map = await lab.start({
    dataset: { rows: domainRows(ROWS), key: 'domain' },
    columns: callColumns('big.company'),
    concurrency: { rows: ROWS },
  });
  await withPart(lab, 'main', () =>
    eventually(
      () => waitingCalls(lab, 'big'),
      (waiting) => waiting === ROWS,
      120_000,
    ),
  );
  await withPart(lab, 'providers', () => lab.sim.waitFor((entries) => entries.length === ROWS));
  await lab.worker();
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: ROWS } });
  const table = await map.table();
  expect(table).toHaveLength(ROWS);
  for (const { domain, big } of table) {
    expect(big).toMatchObject({ domain, filling: expect.stringMatching(new RegExp(`^x{${ANSWER_CHARACTERS}}$`)) });
  }
  expect(lab.sim.ledger).toHaveLength(ROWS);
  const { historySize } = await lab.client.workflow.getHandle(pageWorkflowId(map.mapId, 0)).describe();
  expect(historySize).toBeLessThan(4 * 1024 * 1024);
}, 240_000);
