// Rows that fail, and rows and pages that somebody ends by hand: the map always ends, and its table says what is known.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowFailedError } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import { pageWorkflowId } from '../../contracts/ids';
import type { MapResult } from '../../contracts/results';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab, type StartedMap } from '../helpers/map-lab';
import { callColumns, openCalls, openRows, statusesOf } from './look';

let lab: MapLab;

beforeAll(async () => {
  const shut = { closings: [{ atRequest: 1, durationMs: 3_600_000 }] };
  lab = await openMapLab({
    sim: { providers: { slow: { missRate: 0, latencyMs: 500 }, shutrow: shut, shutpage: shut, shutcancel: shut } },
    providers: { slow: { limits: { concurrency: 2 } }, shutrow: {}, shutpage: {}, shutcancel: {} },
  });
  await lab.worker();
});
afterAll(() => lab.close());

/** Rows of a page, once each of them is open. */
const allOpen = (map: StartedMap, count: number) =>
  eventually(
    () => openRows(lab, pageWorkflowId(map.mapId, 0)),
    (rows) => rows.length === count,
  );

const FAILS_AT_R1 = { name: 'check', value: "{{ row.domain = 'r1.example' ? $error('r1 is no good') : 'fine' }}" };

test('with onRowError fail the first failed row ends the map as ROW_FAILED, with its table complete', async () => {
  const map = await lab.start({
    dataset: { rows: domainRows(300), key: 'domain' },
    columns: [...callColumns('slow.company'), FAILS_AT_R1],
    concurrency: { rows: 3 },
    onRowError: 'fail',
  });
  const error: unknown = await map.result().catch((thrown: unknown) => thrown);
  const failure = (error as WorkflowFailedError).cause as ApplicationFailure;
  expect(failure).toMatchObject({ type: 'ROW_FAILED', message: expect.stringContaining('onRowError: fail') });
  const result = failure.details?.[0] as MapResult;
  expect(result).toMatchObject({ status: 'failed', error: { code: 'ROW_FAILED' }, rows: { failed: 1, unknown: 0 } });
  expect(result.rows.not_run).toBeGreaterThan(250);
  expect(statusesOf(await map.table())).toEqual(Object.fromEntries(Object.entries(result.rows).filter(([, n]) => n)));
  const [failed] = (await map.failures()).filter(({ status }) => status === 'failed');
  expect(failed).toMatchObject({ code: 'EXPRESSION_FAILED', message: expect.stringContaining('r1 is no good') });
  expect(await map.progress()).toMatchObject({ state: 'failed', rows: result.rows });
});

test('with onRowError isolate the others go on', async () => {
  const map = await lab.start({ dataset: { rows: domainRows(4), key: 'domain' }, columns: [FAILS_AT_R1] });
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: 3, failed: 1 } });
  expect((await map.table()).map(({ check }) => check)).toEqual(['fine', null, 'fine', 'fine']);
});

test('an expression that would run for ever, or take all memory, fails its row and neither the worker nor another row', async () => {
  const longWord = `${'a'.repeat(60)}!`;
  const map = await lab.start({
    dataset: { rows: [{ word: 'aaa' }, { word: longWord }, { word: 'a' }], rowIdentity: 'source_row' },
    columns: [
      { name: 'match', value: '{{ $match(row.word, /^(a+)+$/).match }}' },
      { name: 'many', runIf: "{{ row.word = 'a' }}", value: '{{ $count($sort([1..1000000])) }}' },
    ],
  });
  const other = await lab.start({ dataset: { rows: domainRows(2), key: 'domain' }, columns: [FAILS_AT_R1] });
  expect(await other.result()).toMatchObject({ status: 'completed', rows: { done: 1, failed: 1 } });
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: 1, failed: 2 } });
  expect((await map.table()).map(({ match }) => match)).toEqual(['aaa', null, 'a']);
  const failures = (await map.failures()).map(({ code, message }) => `${code} ${message}`);
  expect(failures[0]).toMatch(/^EXPRESSION_FAILED .*\/\^\(a\+\)\+\$\/.*was stopped/);
  expect(failures[1]).toMatch(/^EXPRESSION_FAILED .*\$sort.*(needs more than|was stopped)/);
});

test('a row that is terminated by hand is unknown, a row that is cancelled by hand is cancelled', async () => {
  const map = await lab.start({
    dataset: { rows: domainRows(3), key: 'domain' },
    columns: callColumns('shutrow.company'),
  });
  const [first, second, third] = await allOpen(map, 3);
  await lab.client.workflow.getHandle(first?.workflowId ?? '').terminate('by hand');
  await lab.client.workflow.getHandle(second?.workflowId ?? '').cancel();
  await lab.client.workflow.getHandle(third?.workflowId ?? '').cancel();
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { unknown: 1, cancelled: 2 } });
  expect(await map.failures()).toMatchObject([
    { code: 'ROW_TERMINATED', status: 'unknown', message: expect.stringContaining('was terminated') },
    { code: 'CANCELLED', status: 'cancelled' },
    { code: 'CANCELLED', status: 'cancelled' },
  ]);
});

test('a page that is terminated by hand leaves its rows unknown, the other pages whole, and its rows end too', async () => {
  // Rows so large that four of them fill a page.
  const large = domainRows(6).map(({ domain }) => JSON.stringify({ domain, text: 'x'.repeat(250_000) }));
  await writeFile(join(lab.folder, 'large.jsonl'), large.join('\n'));
  const map = await lab.start({
    dataset: { jsonl: 'large.jsonl', key: 'domain' },
    columns: callColumns('shutpage.company'),
    output: { jsonl: 'out/large.jsonl', columns: ['domain'] },
  });
  await eventually(
    () => openCalls(lab, map),
    (calls) => calls.length === 6,
  );
  const rows = await allOpen(map, 4);
  await lab.client.workflow.getHandle(pageWorkflowId(map.mapId, 0)).terminate('by hand');
  await eventually(
    () => map.progress(),
    ({ openPages }) => openPages.length === 1,
  );
  expect(await map.progress()).toMatchObject({ notStarted: 0, open: 2, rows: { unknown: 4 } });
  await lab.client.workflow.getHandle(pageWorkflowId(map.mapId, 1)).cancel();
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { unknown: 4, cancelled: 2 } });
  const failures = (await readFile(join(lab.folder, 'out/large.failures.jsonl'), 'utf8')).trimEnd().split('\n');
  expect(JSON.parse(failures[0] ?? '')).toMatchObject({ code: 'ROW_TERMINATED', repairable: false });
  expect(await map.progress()).toMatchObject({ notStarted: 0, rows: { unknown: 4, cancelled: 2 } });
  for (const { workflowId } of rows) await lab.client.workflow.getHandle(workflowId).result();
});

test('a page that is cancelled by hand has its rows cancelled', async () => {
  const map = await lab.start({
    dataset: { rows: domainRows(3), key: 'domain' },
    columns: callColumns('shutcancel.company'),
    concurrency: { rows: 2 },
  });
  await allOpen(map, 2);
  await lab.client.workflow.getHandle(pageWorkflowId(map.mapId, 0)).cancel();
  expect(await map.result()).toMatchObject({ status: 'completed', rows: { cancelled: 2, not_run: 1 } });
});
