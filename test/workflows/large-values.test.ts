// Values that are too large for history travel as references, and are whole in the table.
import { join } from 'node:path';
import { ROW_RESULT_BYTES } from '../../contracts/limits';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';
import { dispatchesOf, failedWorkflowTasks, rowIdsOf, rowResult } from '../helpers/row-history';

const HUGE = 300_000;
const LARGE = 200_000;

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: {
      providers: {
        huge: { price: 0.01, missRate: 0, answerFilling: HUGE },
        large: { price: 0.01, missRate: 0, answerFilling: LARGE },
      },
    },
    providers: { huge: {}, large: {} },
    workflowsPath: join(__dirname, 'fixtures', 'index.ts'),
  });
  await lab.worker();
});
afterAll(() => lab.close());

const column = (name: string, tool: string) => ({ name, tool, input: { domain: '{{ row.domain }}' } });
const stored = { $stored: { ref: expect.any(String), digest: expect.any(String), bytes: expect.any(Number) } };
const filling = (length: number) => expect.objectContaining({ filling: 'x'.repeat(length) });

test('an answer over 256 KB is a reference in history, and the whole answer in the table', async () => {
  const map = await lab.start({
    dataset: { rows: domainRows(2), key: 'domain' },
    columns: [column('firm', 'huge.company')],
  });
  expect(await map.result()).toMatchObject({ rows: { done: 2 } });
  const [id] = await rowIdsOf(lab.client, map.mapId);
  const [dispatch] = await dispatchesOf(lab.client, id as string);
  expect(dispatch?.outcome).toMatchObject({ kind: 'completed', value: stored });
  expect((await map.table()).map(({ firm }) => firm)).toEqual([filling(HUGE), filling(HUGE)]);
});

test('a row over 32 KB goes to the run store from the row itself, with its counts', async () => {
  const map = await lab.start({
    dataset: { rows: domainRows(1), key: 'domain' },
    columns: [column('firm', 'large.company')],
  });
  const result = await map.result();
  const [id] = await rowIdsOf(lab.client, map.mapId);
  expect(await rowResult(lab.client, id as string)).toMatchObject({
    status: 'done',
    stored: { $stored: { bytes: expect.any(Number) } },
    counts: { columns: { firm: { executed: 1, cost: 0.01 } } },
  });
  expect(LARGE).toBeGreaterThan(ROW_RESULT_BYTES);
  expect(result.counts.columns.firm).toMatchObject({ executed: 1, cost: 0.01 });
  expect((await map.table())[0]).toMatchObject({ firm: filling(LARGE) });
});

test('answers that are too large together are stored one by one', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `c${at}`);
  const map = await lab.start({
    dataset: { rows: domainRows(1), key: 'domain' },
    columns: names.map((name) => column(name, 'large.company')),
  });
  expect(await map.result()).toMatchObject({ rows: { done: 1 } });
  const [row] = await map.table();
  for (const name of names) expect(row?.[name]).toEqual(filling(LARGE));
  expect(await failedWorkflowTasks(lab.client, map.mapId)).toEqual([]);
});

test('a cell of its own that no message can carry fails the row, and says which', async () => {
  const map = await lab.start({ dataset: { rows: domainRows(1), key: 'domain' }, map: 'monstrous' });
  expect(await map.result()).toMatchObject({ rows: { failed: 1 } });
  expect(await map.failures()).toMatchObject([{ code: 'RESULT_TOO_LARGE', column: 'monster' }]);
  expect((await map.table())[0]).toMatchObject({ small: 'kept' });
  expect(await failedWorkflowTasks(lab.client, map.mapId)).toEqual([]);
});

test('an input that no message can carry ends its call before it is sent', async () => {
  const map = await lab.start({
    dataset: { rows: domainRows(1), key: 'domain' },
    columns: [
      ...['a', 'b', 'c', 'd'].map((name) => column(name, 'large.company')),
      { name: 'all', tool: 'large.email', input: { domain: '{{ row.domain }}', all: '{{ cells }}' } },
    ],
  });
  expect(await map.result()).toMatchObject({ rows: { failed: 1 } });
  expect(await map.failures()).toMatchObject([{ code: 'REQUEST_INVALID', column: 'all' }]);
  expect(await failedWorkflowTasks(lab.client, map.mapId)).toEqual([]);
});
