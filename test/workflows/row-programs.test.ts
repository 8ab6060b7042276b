// Whatever a row program throws, drops or returns: its row has an outcome, no paid answer is lost, no workflow task fails.
import { join } from 'node:path';
import type { RowOutcome } from '../../contracts/results';
import { type MapLab, openMapLab } from '../helpers/map-lab';
import { failedWorkflowTasks, rowIdsOf, rowResult } from '../helpers/row-history';

let lab: MapLab;

beforeAll(async () => {
  const quiet = { price: 0.01, missRate: 0 };
  lab = await openMapLab({
    sim: {
      providers: {
        beacon: quiet,
        slow: { ...quiet, latencyMs: 1500 },
        closed: { ...quiet, closings: [{ atRequest: 1, durationMs: 3_600_000 }] },
        busy: { ...quiet, latencyMs: 1500 },
      },
    },
    providers: { beacon: {}, slow: {}, closed: {}, busy: { limits: { concurrency: 1 } } },
    workflowsPath: join(__dirname, 'fixtures', 'index.ts'),
  });
  await lab.worker();
});
afterAll(() => lab.close());

const outcomeOf = async (mapId: string): Promise<RowOutcome> => {
  const [id] = await rowIdsOf(lab.client, mapId);
  return (await rowResult(lab.client, id as string)) as RowOutcome;
};

test('a sibling that throws loses no answer that was bought', async () => {
  const map = await lab.start({ dataset: { rows: [{ domain: 'sibling.example' }] }, map: 'throwing-sibling' });
  await map.result();
  const { status, error, cells, ledger } = await outcomeOf(map.mapId);
  expect({ status, code: error?.code, message: error?.message }).toEqual({
    status: 'failed',
    code: 'ROW_PROGRAM_ERROR',
    message: 'Error: the sibling gave up',
  });
  expect(ledger.map(({ column, status: end, receipt }) => [column, end, receipt?.price])).toEqual([
    ['firm', 'done', 0.01],
    ['quick', 'done', 0.01],
  ]);
  expect(cells).toMatchObject({ firm: { domain: 'sibling.example' } });
  expect(await failedWorkflowTasks(lab.client, map.mapId)).toEqual([]);
});

test('a program that takes back a call of its own gets its CancelledFailure, or the answer that was on its way', async () => {
  const rows = ['sent.example', 'queued.example'].map((domain) => ({ domain }));
  const map = await lab.start({ dataset: { rows, key: 'domain' }, map: 'impatient' });
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: 2 } });
  expect((await map.table()).map(({ waited }) => waited).sort()).toEqual([false, true]);
  expect(lab.sim.ledger.filter(({ provider }) => provider === 'busy')).toHaveLength(1);
  expect(await failedWorkflowTasks(lab.client, map.mapId)).toEqual([]);
});

test('calls that nobody awaits end before the row does, and say nothing to its cells', async () => {
  const map = await lab.start({ dataset: { rows: [{ domain: 'drop.example' }] }, map: 'dropping' });
  await map.result();
  const { status, cells, ledger } = await outcomeOf(map.mapId);
  expect({ status, cells }).toEqual({ status: 'done', cells: { dropped: 'by the program' } });
  expect(ledger.map(({ column, status: end }) => [column, end])).toEqual([
    ['dropped', 'done'],
    ['held', 'cancelled'],
    // Refused at once, or taken back when the program returned before it was sent.
    ['refused', expect.stringMatching(/^(failed|cancelled)$/)],
    ['first', 'cancelled'],
    ['quick', 'done'],
  ]);
  const bought = lab.sim.ledger.filter(({ input, charged }) => input.domain === 'drop.example' && charged);
  expect(bought.map(({ path }) => path).sort()).toEqual(['/beacon/v1/company', '/slow/v1/company']);
  expect(await failedWorkflowTasks(lab.client, map.mapId)).toEqual([]);
});

test('anything that is thrown or returned ends the row as failed, never as a failing workflow task', async () => {
  const said: { [how: string]: string | RegExp } = {
    error: 'Error: out of ideas',
    nothing: 'thrown: undefined',
    textless: 'thrown: a object that has no text',
    'error-with-odd-message': 'thrown: a object that has no text',
    'list-returned': 'Error: the map must return an object of cells, got object',
    'nothing-returned': 'Error: the map must return an object of cells, got undefined',
    'throwing-cell': 'Error: no cell',
    'unknown-tool': /ctx\.tool\('nobody\.nothing'\) with account 'default': the map has no such tool/,
    'bigint-input': /^TypeError: .*BigInt/,
  };
  const rows = Object.keys(said).map((how) => ({ how }));
  const map = await lab.start({ dataset: { rows, key: 'how' }, map: 'odd' });
  expect((await map.result()).rows).toMatchObject({ failed: rows.length });
  const failures = await map.failures();
  expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['ROW_PROGRAM_ERROR']));
  failures.forEach(({ message }, at) => {
    const wanted = Object.values(said)[at] as string | RegExp;
    expect(message).toEqual(typeof wanted === 'string' ? wanted : expect.stringMatching(wanted));
  });
  expect(await failedWorkflowTasks(lab.client, map.mapId)).toEqual([]);
});

test('an expression that throws fails its row with its own text, and keeps the cells before it', async () => {
  const map = await lab.start({
    dataset: { rows: [{ domain: 'expression.example' }] },
    columns: [
      { name: 'before', value: 'kept' },
      { name: 'firm', tool: 'beacon.company', input: { domain: '{{ $error("no domain today") }}' } },
    ],
  });
  await map.result();
  const { status, error, cells } = await outcomeOf(map.mapId);
  expect({ status, code: error?.code, column: error?.column, cells }).toEqual({
    status: 'failed',
    code: 'EXPRESSION_FAILED',
    column: 'firm',
    cells: { before: 'kept' },
  });
  expect(error?.message).toContain('no domain today');
  expect(await failedWorkflowTasks(lab.client, map.mapId)).toEqual([]);
});

test('a cell without a JSON form ends its row with the cell and the place in it; dates, BigInts and bytes have one', async () => {
  const rows = ['unusual-cells', 'map-cell', 'circle-cell'].map((how) => ({ how }));
  const map = await lab.start({ dataset: { rows, key: 'how' }, map: 'odd' });
  expect((await map.result()).rows).toMatchObject({ done: 1, failed: 2 });
  expect(await map.failures()).toMatchObject([
    { code: 'RESULT_INVALID', column: 'tags', message: expect.stringMatching(/\$\.inner is a Map.*E_RESULT_TYPE/) },
    { code: 'RESULT_INVALID', column: 'circle', message: expect.stringMatching(/E_RESULT_CIRCULAR/) },
  ]);
  expect((await map.table())[0]).toMatchObject({ big: '18446744073709551616', bytes: 'AP8=' });
  expect(await failedWorkflowTasks(lab.client, map.mapId)).toEqual([]);
});

test('cells are what JSON makes of them, undefined left out', async () => {
  const map = await lab.start({ dataset: { rows: [{ domain: 'plain.example' }] }, map: 'plain-cells' });
  await map.result();
  const { status, cells } = await outcomeOf(map.mapId);
  expect({ status, cells }).toEqual({ status: 'done', cells: { at: '1970-01-01T00:00:00.000Z', nested: [null, {}] } });
});
