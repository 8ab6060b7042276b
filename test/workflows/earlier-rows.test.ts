// Rows that are there already when their page starts them, as after the reset of a page: their result is read, and its lack said.
import { MAIN_TASK_QUEUE, WORKFLOW } from '../../contracts/names';
import { type MapLab, openMapLab } from '../helpers/map-lab';
import { rowIdsOf } from '../helpers/row-history';

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({ sim: { providers: { acme: { price: 0.01, missRate: 0 } } }, providers: { acme: {} } });
  await lab.worker();
});
afterAll(() => lab.close());

const rows = ['gone.example', 'fine.example'].map((domain) => ({ domain }));
const spec = {
  dataset: { rows, key: 'domain' },
  columns: [{ name: 'firm', tool: 'acme.company', input: { domain: '{{ row.domain }}' } }],
};

test('a row whose earlier workflow was terminated is unknown, and the map ends all the same', async () => {
  const model = await lab.start(spec);
  await model.result();
  const [gone] = await rowIdsOf(lab.client, model.mapId);
  const taken = await lab.client.workflow.start(WORKFLOW.mapRow, {
    workflowId: (gone as string).replace(model.mapId, 'met-again'),
    taskQueue: `${MAIN_TASK_QUEUE}.nobody`,
  });
  await taken.terminate('by hand');
  const map = await lab.start(spec, 'met-again');
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { unknown: 1, done: 1 } });
  expect(await map.failures()).toMatchObject([
    { code: 'ROW_TERMINATED', message: expect.stringContaining('may have been sent and charged') },
  ]);
});
