import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openSource, type SourcePlace } from '../../../activities/datasets/source-path';
import { caseById, casesOf, expectCaseError } from '../../helpers/dataset-cases';
import { admissionError, admit, sourceFile } from '../../helpers/dataset-harness';
import { useTemporaryFolder } from '../../helpers/temporary-folder';

const folder = useTemporaryFolder();

async function openError(place: SourcePlace): Promise<unknown> {
  return openSource(place).then(
    async ({ handle }) => {
      await handle.close();
      return new Error(`${place.path} was opened`);
    },
    (error: unknown) => error,
  );
}

/** Puts the absolute paths of a case under the folder of the test. */
const below = (path: string) => join(folder(), path);

const LISTS = ['SRC-12', 'SRC-16'];
/** Cases over HTTP, in http-source.test.ts. */
const HTTP = ['SRC-13', 'SRC-15', 'SRC-17', 'SRC-18'];

test.each(
  casesOf('source')
    .filter(({ id }) => !LISTS.includes(id) && !HTTP.includes(id))
    .map((one) => [one.id, one.title, one] as const),
)('%s %s', async (_id, _title, one) => {
  const {
    root,
    files = {},
    symlinks = {},
  } = one.options as {
    root: string;
    files?: { [path: string]: string };
    symlinks?: { [path: string]: string };
  };
  await mkdir(below(root), { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(below(path)), { recursive: true });
    await writeFile(below(path), content);
  }
  for (const [path, target] of Object.entries(symlinks)) await symlink(below(target), below(path));
  const path = one.inputText!.startsWith('/') ? below(one.inputText!) : one.inputText!;
  expectCaseError(await openError({ path, baseDir: below(root), dataRoot: below(root) }), one);
});

test('SRC-12 a folder, a FIFO and a device are refused without waiting', async () => {
  await mkdir(below('/data'));
  execFileSync('mkfifo', [below('/data/fifo')]);
  for (const path of [below('/data'), below('/data/fifo'), '/dev/zero']) {
    expectCaseError(await openError({ path, baseDir: '/', dataRoot: '/' }), caseById('SRC-12'));
  }
});

test('SRC-16 other schemes and credentials are refused', async () => {
  const one = caseById('SRC-16');
  for (const path of JSON.parse(one.inputText!) as string[])
    expectCaseError(await openError({ path, baseDir: folder() }), one);
});

test('a relative path stays in its folder, an absolute one is taken as it is', async () => {
  await sourceFile(folder(), 'a.csv', 'id\n1\n');
  await mkdir(below('inner'));
  expect(await openError({ path: '../a.csv', baseDir: below('inner') })).toMatchObject({
    code: 'E_SOURCE_NOT_ALLOWED',
  });
  const { handle, realPath } = await openSource({ path: below('a.csv'), baseDir: below('inner') });
  await handle.close();
  expect(realPath).toBe(below('a.csv'));
});

test('a missing file and a loop of links are told apart, with the full path', async () => {
  await symlink(below('loop.csv'), below('loop.csv'));
  expect(await openError({ path: 'no.csv', baseDir: folder() })).toMatchObject({
    code: 'E_SOURCE_NOT_FOUND',
    message: expect.stringContaining(below('no.csv')),
  });
  expect(await openError({ path: 'loop.csv', baseDir: folder() })).toMatchObject({ code: 'E_SOURCE_UNREADABLE' });
});

test.each([
  ['xlsx', 'PK\u0003\u0004rest', /zip archive.*xlsx/],
  ['parquet', 'PAR1rest', /Parquet/],
])('a %s file is refused by its content, whatever its name', async (_name, content, message) => {
  const csv = await sourceFile(folder(), 'data.csv', content);
  const error = await admissionError({ folder: folder(), dataset: { csv } });
  expect(error).toMatchObject({ code: 'E_SOURCE_FORMAT', scope: 'file' });
  expect(error.message).toMatch(message);
  expect(error.message).toMatch(/^data\.csv: /);
});

test('a text that starts with PK is a table like any other', async () => {
  const csv = await sourceFile(folder(), 'data.csv', 'PK,name\n1,a\n');
  const error = await admissionError({ folder: folder(), dataset: { csv, key: 'no' } });
  expect(error.code).toBe('E_KEY_COLUMN_MISSING');
});

test('a cut gzip file is corrupt and a too large source is refused before it is read', async () => {
  const whole = Buffer.from(caseById('SRC-01').inputBase64!, 'base64');
  const csv = await sourceFile(folder(), 'cut.csv.gz', whole.subarray(0, whole.length - 6));
  expect(await admissionError({ folder: folder(), dataset: { csv } })).toMatchObject({ code: 'E_SOURCE_CORRUPT' });
  const large = await admissionError({ folder: folder(), dataset: { csv, maxSourceBytes: 10 } });
  expect(large).toMatchObject({ code: 'E_SOURCE_TOO_LARGE', message: expect.stringContaining('maxSourceBytes (10)') });
});

test('UTF-16 without byte order mark is told, not guessed, and read when it is named', async () => {
  const csv = await sourceFile(folder(), 'wide.csv', Buffer.from('id,name\n1,a\n', 'utf16le'));
  const error = await admissionError({ folder: folder(), dataset: { csv } });
  expect(error).toMatchObject({
    code: 'E_ENCODING_UNSUPPORTED',
    message: expect.stringContaining("encoding: 'utf-16le'"),
  });
  const named = await admissionError({ folder: folder(), dataset: { csv, encoding: 'utf-16le', key: 'ID' } });
  expect(named.message).toContain('"id", "name"');
});

test('a source that vanishes during the map is said, and the map goes on', async () => {
  const csv = await sourceFile(folder(), 'data.csv', 'id\n1\n2\n');
  const outcome = await admit({
    folder: folder(),
    dataset: { csv },
    afterPage: () => rm(below('data.csv'), { force: true }),
  });
  expect(outcome.admitted).toHaveLength(2);
  expect(outcome.warnings.join()).toContain('W_SOURCE_CHANGED');
});
