import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalRunStore } from '../../../activities/store/local-run-store';
import { describeRunStore, manifest, outcome, row } from '../../conformance/run-store';
import { useTemporaryFolder } from '../../helpers/temporary-folder';

const folder = useTemporaryFolder();
const open = () => createLocalRunStore({ root: join(folder(), 'store') });

describeRunStore('local folder', async () => open());

test('a damaged value is refused instead of handed out', async () => {
  const store = open();
  const { $stored } = await store.putValue('m1', '{"price":1}');
  await writeFile(join(store.folder('m1'), $stored.ref), '{"price":2}');
  await expect(store.getValue('m1', $stored.ref)).rejects.toMatchObject({
    code: 'STORE_FAILED',
    message: expect.stringContaining('damaged'),
  });
});

test('the leftover of a crash is no part and no temporary file stays behind', async () => {
  const store = open();
  await store.writePart('m1', 0, 0, [outcome(0)]);
  const parts = join(store.folder('m1'), 'parts', 'page-000000');
  await writeFile(join(parts, '.torn.tmp'), '{"identity":"k:');
  expect(await store.listParts('m1', 0)).toHaveLength(1);
  await store.writePart('m1', 0, 1, [outcome(1)]);
  expect((await readdir(parts)).filter((name) => name.endsWith('.tmp'))).toEqual(['.torn.tmp']);
});

test('one folder a map id, with names made of page and part', async () => {
  const store = open();
  await store.writePage('m1', 12, [row(0)]);
  await store.writePart('m1', 12, 3, [outcome(0)]);
  await store.createManifest('m1', manifest('run-1'));
  expect((await readdir(join(folder(), 'store', 'm1'), { recursive: true })).sort()).toEqual([
    'manifest.json',
    'pages',
    'pages/page-000012.jsonl',
    'parts',
    'parts/page-000012',
    'parts/page-000012/part-000003.jsonl',
  ]);
  expect(JSON.parse(await readFile(join(store.folder('m1'), 'manifest.json'), 'utf8'))).toEqual(manifest('run-1'));
});
