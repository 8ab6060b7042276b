import { link, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOutput } from '../../../activities/sinks/check-output';
import { useTemporaryFolder } from '../../helpers/temporary-folder';

const folder = useTemporaryFolder();
const at = (name: string) => join(folder(), name);

test('free paths are fine, missing folders are made, and no trial file stays', async () => {
  await checkOutput([at('new/deep/out.csv'), at('out.jsonl')], { overwrite: false });
  expect(await readdir(at('new/deep'))).toEqual([]);
  expect(await readdir(folder())).toEqual(['new']);
});

test('an output that exists is refused unless overwrite is set', async () => {
  await writeFile(at('out.csv'), 'older');
  await expect(checkOutput([at('out.csv')], { overwrite: false })).rejects.toMatchObject({
    code: 'OUTPUT_EXISTS',
    message: expect.stringContaining(at('out.csv')),
  });
  await checkOutput([at('out.csv')], { overwrite: true });
});

test.each(['hard link', 'symbolic link'])(
  'an output that is the input by a %s is refused even with overwrite',
  async (kind) => {
    await writeFile(at('in.csv'), 'id\n');
    await (kind === 'hard link' ? link : symlink)(at('in.csv'), at('out.csv'));
    const options = { overwrite: true, inputPaths: [at('in.csv')] };
    await expect(checkOutput([at('out.csv')], options)).rejects.toMatchObject({ code: 'OUTPUT_IS_INPUT' });
  },
);

test('a folder that nobody can make is refused, also where the system says that its parent is missing', async () => {
  await symlink(at('nowhere/at/all'), at('link'));
  for (const path of [at('link/deep/out.csv'), '/proc/sluice/deep/out.csv']) {
    await expect(checkOutput([path], { overwrite: false })).rejects.toMatchObject({
      code: 'OUTPUT_UNWRITABLE',
      message: expect.stringContaining(path),
    });
  }
});

test('a folder in place of a file, or a file in place of a folder, cannot be written', async () => {
  await mkdir(at('out.csv'));
  await writeFile(at('file'), '');
  for (const path of [at('out.csv'), at('file/out.csv')]) {
    await expect(checkOutput([path], { overwrite: true })).rejects.toMatchObject({
      code: 'OUTPUT_UNWRITABLE',
      message: expect.stringContaining(path),
    });
  }
});

test('two outputs cannot share a path', async () => {
  await expect(checkOutput([at('out'), at('out')], { overwrite: true })).rejects.toMatchObject({
    code: 'OUTPUT_EXISTS',
  });
});
