// The signal setConcurrency: it changes a running map, and nonsense in it is a warning that stays to the end.
import { pageWorkflowId } from '../../contracts/ids';
import { MAX_CONCURRENCY_ROWS, MAX_PARKED_ROWS } from '../../contracts/limits';
import { CONTROL_SIGNAL } from '../../contracts/names';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';
import { callColumns, pageProgress } from './look';

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: { providers: { acme: { missRate: 0 }, stuck: { faults: [{ kind: 'hang-after-charge', rate: 1 }] } } },
    providers: { acme: {}, stuck: { price: 0, idempotent: false, timeout: '5m' } },
  });
  await lab.worker();
});
afterAll(() => lab.close());

const spec = (rows: number, concurrency: number, tool: string) => ({
  dataset: { rows: domainRows(rows), key: 'domain' },
  columns: callColumns(tool),
  concurrency: { rows: concurrency },
});

test('raised and lowered while rows are under way: so many run, and never more', async () => {
  const map = await lab.start(spec(30, 2, 'stuck.company'));
  const pageOpen = () => pageProgress(lab, pageWorkflowId(map.mapId, 0));
  await lab.sim.waitFor((entries) => entries.length === 2);
  expect(await pageOpen()).toMatchObject({ open: 2, notStarted: 28 });
  await map.signal('setConcurrency', { rows: 6 });
  await lab.sim.waitFor((entries) => entries.length === 6);
  expect(await pageOpen()).toMatchObject({ open: 6, notStarted: 24, room: { rows: 6 } });
  await map.signal('setConcurrency', { rows: 1 });
  expect(await eventually(pageOpen, ({ room }) => room.rows === 1)).toMatchObject({ open: 6, notStarted: 24 });
  await map.signal('cancel');
  expect(await map.result()).toMatchObject({ rows: { cancelled: 6, not_run: 24 }, warnings: [] });
});

test('nonsense is a warning in progress, result and summary, and what is right beside it counts', async () => {
  const map = await lab.start(spec(12, 1, 'acme.company'));
  await map.signal('setConcurrency', { rows: 4, parkedRows: -1, cells: 3 });
  await map.signal('setConcurrency', { rows: '9' });
  await map.signal('setConcurrency', null);
  await map.handle.signal(CONTROL_SIGNAL.setConcurrency);
  const expected = [
    `setConcurrency: parkedRows was ignored, expected 0 to ${MAX_PARKED_ROWS}, got -1`,
    'setConcurrency: cells was ignored, known are rows and parkedRows',
    `setConcurrency: rows was ignored, expected 1 to ${MAX_CONCURRENCY_ROWS}, got "9"`,
    'setConcurrency was ignored: expected { "rows": n, "parkedRows": n }, got null',
    'setConcurrency was ignored: expected { "rows": n, "parkedRows": n }, got nothing',
  ];
  const progress = await eventually(
    () => map.progress(),
    ({ warnings }) => warnings.length === expected.length,
  );
  expect(progress.warnings).toEqual(expected);
  const result = await map.result();
  expect(result).toMatchObject({ status: 'completed', rows: { done: 12 }, warnings: expected });
  expect((await map.summary()).warnings).toEqual(expected);
  expect((await map.progress()).concurrency).toMatchObject({ rows: 4 });
});
