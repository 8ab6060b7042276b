// Flushes of a page: repeated after a crash, and made in other batches by a page that was reset.
import { join } from 'node:path';
import { createLocalRunStore } from '../../activities/store/local-run-store';
import { readSettledRows } from '../../activities/store/page-outcomes';
import { createWriteResults } from '../../activities/write-results';
import { outcome, row } from '../conformance/run-store';
import { useTemporaryFolder } from '../helpers/temporary-folder';

const folder = useTemporaryFolder();

async function pageOf(rows: number) {
  const store = createLocalRunStore({ root: join(folder(), 'runs') });
  await store.writePage(
    'm',
    0,
    Array.from({ length: rows }, (_, ordinal) => row(ordinal)),
  );
  const write = createWriteResults({ store, reach: () => undefined });
  const flush = (part: number, ...ordinals: number[]) =>
    write({ mapId: 'm', page: 0, part, outcomes: ordinals.map((ordinal) => outcome(ordinal)) });
  const settled = async () => (await readSettledRows(store, 'm', 0)).map((one) => one.outcome?.ordinal ?? null);
  return { store, write, flush, settled };
}

test('the same flush again adds nothing', async () => {
  const { store, flush } = await pageOf(2);
  await flush(0, 0, 1);
  await flush(0, 0, 1);
  expect(await store.listParts('m', 0)).toMatchObject([{ part: 0, rows: 2 }]);
});

test('a page that was reset flushes other batches: each row is there once, and its tries may be repeated', async () => {
  const { store, flush, settled } = await pageOf(5);
  await flush(0, 0, 1);
  await flush(1, 2);
  for (let life = 0; life < 2; life += 1) {
    await flush(0, 2, 0, 3);
    await flush(1, 1);
    await flush(2, 4);
  }
  expect(await settled()).toEqual([0, 1, 2, 3, 4]);
  const rows = (await store.listParts('m', 0)).reduce((sum, part) => sum + part.rows, 0);
  expect(rows).toBe(5);
});

test('of two outcomes of one row the first stands', async () => {
  const { write, flush, store } = await pageOf(1);
  await flush(0, 0);
  await write({ mapId: 'm', page: 0, part: 0, outcomes: [outcome(0, { size: 'other' })] });
  expect((await readSettledRows(store, 'm', 0))[0]?.outcome?.cells).toEqual({ size: 0 });
});
