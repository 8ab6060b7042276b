// An export on its own: what a map writes meanwhile, and a redrive that runs.
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createExportMap } from '../../activities/export-map';
import { createLocalRunStore } from '../../activities/store/local-run-store';
import type { Manifest, RunStore } from '../../activities/store/run-store';
import { noRowCounts } from '../../contracts/counting';
import type { ExportResult } from '../../contracts/export';
import type { Json } from '../../contracts/outcomes';
import type { AdmittedRow } from '../../contracts/plan';
import type { RowOutcome } from '../../contracts/results';
import { parseMapSpec } from '../../contracts/schemas/map-spec';
import { inActivity } from '../helpers/activity-context';
import { useTemporaryFolder } from '../helpers/temporary-folder';

const folder = useTemporaryFolder();
const store = () => createLocalRunStore({ root: join(folder(), 'runs') });

const row = (ordinal: number): AdmittedRow => ({
  identity: `k:${ordinal}`,
  ordinal,
  line: ordinal + 2,
  input: { domain: `r${ordinal}.example` },
});
const outcome = (ordinal: number, cells: RowOutcome['cells'], status: RowOutcome['status'] = 'done'): RowOutcome => ({
  identity: `k:${ordinal}`,
  ordinal,
  status,
  cells,
  skipped: [],
  ledger: [],
});

/** A map of one page, whose rows return what they like. */
async function admitted(mapId: string, rows: AdmittedRow[], more: Partial<Manifest> = {}): Promise<void> {
  const reading = parseMapSpec({
    name: 'free',
    dataset: { rows: [{ domain: 'x' }], key: 'domain' },
    map: 'free',
    output: { jsonl: 'out/t.jsonl' },
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  await store().writePage(mapId, 0, rows);
  await store().createManifest(mapId, {
    ...{ mapId, runId: 'run-1', spec: reading.spec as unknown as Json, specDigest: '0', spoolDigest: '0' },
    columns: ['domain'],
    cardinality: {
      ...{ sourceRows: 2, rejectedRows: 0, uniqueInputRows: 2, duplicateOccurrences: 0, conflicts: 0 },
      ...{ outputRows: null, rowIdentity: 'key', blank: 0 },
    },
    ...{ pageRows: [rows.length], warnings: [], createdAtMs: 1 },
    ...more,
  });
}

const isRunning = async (mapId: string) => mapId === 'running';

const exportOf = (map: string, from: RunStore = store()): Promise<ExportResult> =>
  inActivity(() =>
    createExportMap({ store: from, dataRoot: folder(), isRunning })({
      runId: 'run-2',
      request: { map, to: 'out/now.jsonl' },
    }),
  );

const table = async () =>
  (await readFile(join(folder(), 'out/now.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('what a TypeScript map writes while it is exported is left for the next export: no cell without its column', async () => {
  await admitted('m', [row(0), row(1)]);
  await store().writePart('m', 0, 0, [outcome(0, { size: 1 })]);
  const writesOn: RunStore = {
    ...store(),
    async readPart(mapId, page, part) {
      await store().writePart('m', 0, 1, [outcome(1, { size: 2, late: true })]);
      return store().readPart(mapId, page, part);
    },
  };
  expect(await exportOf('m', writesOn)).toMatchObject({ rows: { done: 1 }, pending: 1 });
  expect(await table()).toEqual([
    { domain: 'r0.example', size: 1, _status: 'done', _error: null },
    { domain: 'r1.example', size: null, _status: 'pending', _error: null },
  ]);
});

test('of a redrive that runs: finished rows of the earlier map, and the others pending with the cells that they have so far', async () => {
  await admitted('m', [row(0), row(1)]);
  const large = await store().putValue('m', JSON.stringify('x'.repeat(50)));
  const failed = { ...outcome(1, { firm: large, text: 'a' }, 'failed'), references: ['firm'] };
  await store().writePart('m', 0, 0, [outcome(0, { size: 1 }), failed]);
  await store().writeEnd('m', {
    ...{ mapId: 'm', runId: 'run-1', status: 'completed', openedPages: 1, withoutResult: [] },
    ...{ startedAtMs: 1, endedAtMs: 2, warnings: [] },
  });
  const redrive = { map: 'm', unknown: false, rootRunId: 'run-1', carried: noRowCounts() };
  await admitted('again', [row(1)], { redrive });
  expect(await exportOf('again')).toMatchObject({ ended: false, rows: { done: 1 }, pending: 1 });
  expect((await table()).map(({ domain: _, ...rest }) => rest)).toEqual([
    { size: 1, firm: null, text: null, _status: 'done', _error: null },
    { size: null, firm: 'x'.repeat(50), text: 'a', _status: 'pending', _error: null },
  ]);
});

test('a file that another map writes is left to it', async () => {
  await admitted('m', [row(0)]);
  const place = join(await realpath(folder()), 'out', 'now.jsonl');
  await store().claimOutput(place, 'running');
  await expect(exportOf('m')).rejects.toMatchObject({
    type: 'OUTPUT_IN_USE',
    message: expect.stringContaining('is an output of map running'),
  });
  await store().releaseOutput(place, 'running');
  await exportOf('m');
  expect(await store().claimOutput(place, 'next')).toBe('next');
});

test('an error is for good: a person waits for the answer', async () => {
  await expect(exportOf('nobody')).rejects.toMatchObject({ type: 'MAP_NOT_IN_STORE', nonRetryable: true });
  await expect(exportOf('../m')).rejects.toMatchObject({ type: 'INVALID_SPEC', nonRetryable: true });
});
