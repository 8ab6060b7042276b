import { createLocalRunStore } from '../../../activities/store/local-run-store';
import { loadCells, readSettledRows } from '../../../activities/store/page-outcomes';
import type { RowOutcome } from '../../../contracts/results';
import { withReferences } from '../../../contracts/stored-value';
import { outcome, row } from '../../conformance/run-store';
import { useTemporaryFolder } from '../../helpers/temporary-folder';

const folder = useTemporaryFolder();
const admitted = async () => {
  const store = createLocalRunStore({ root: folder() });
  await store.writePage('m1', 0, [row(0), row(1), row(2)]);
  return store;
};

test('rows come in source order whatever finished first, and a row without outcome says so', async () => {
  const store = await admitted();
  await store.writePart('m1', 0, 0, [outcome(2)]);
  await store.writePart('m1', 0, 1, [outcome(0)]);
  const settled = await readSettledRows(store, 'm1', 0);
  expect(settled.map((one) => [one.row.ordinal, one.outcome?.cells.size ?? null])).toEqual([
    [0, 0],
    [1, null],
    [2, 2],
  ]);
});

test('an outcome in two parts counts once, two different ones are refused', async () => {
  const store = await admitted();
  await store.writePart('m1', 0, 0, [outcome(0), outcome(1)]);
  await store.writePart('m1', 0, 1, [outcome(1), outcome(2)]);
  expect(await readSettledRows(store, 'm1', 0)).toHaveLength(3);
  await store.writePart('m1', 0, 2, [outcome(1, { size: 'other' })]);
  await expect(readSettledRows(store, 'm1', 0)).rejects.toMatchObject({
    code: 'RESULTS_INCONSISTENT',
    message: expect.stringContaining('k:1'),
  });
});

test('an outcome of a row that was not admitted is refused', async () => {
  const store = await admitted();
  await store.writePart('m1', 0, 0, [outcome(9)]);
  await expect(readSettledRows(store, 'm1', 0)).rejects.toMatchObject({
    code: 'RESULTS_INCONSISTENT',
    message: expect.stringContaining('k:9'),
  });
});

test('outcomes and cells that lie in the store are read back', async () => {
  const store = await admitted();
  const size = await store.putValue('m1', '"big"');
  const { identity, ordinal, status } = outcome(0);
  const stored = await store.putValue('m1', JSON.stringify(outcome(0, { size })));
  await store.writePart('m1', 0, 0, [{ identity, ordinal, status, stored, counts: { columns: {}, providers: {} } }]);
  const [first] = await readSettledRows(store, 'm1', 0);
  expect(first?.outcome?.cells).toEqual({ size });
  expect(await loadCells(store, 'm1', first?.outcome as RowOutcome)).toEqual({ size: 'big' });
});

test('a cell that only looks like a reference is the value that it is', async () => {
  const store = await admitted();
  const alike = { $stored: { ref: 'values/00/x.json', digest: 'x' } };
  const { $stored } = await store.putValue('m1', JSON.stringify(alike));
  const cells = { alike, genuine: { $stored } };
  const marked = withReferences(outcome(0, cells), new Set([$stored.digest]));
  expect(marked.references).toEqual(['genuine']);
  expect(await loadCells(store, 'm1', marked)).toEqual({ alike, genuine: alike });
});
