// Every TypeScript block of the docs compiles in the folder that its first line names, beside the real files.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { useTemporaryFolder } from '../helpers/temporary-folder';
import { allBlocks, type Block, ROOT } from './markdown';

const folder = useTemporaryFolder();
const blocks = allBlocks().filter(({ language }) => language === 'ts' || language === 'typescript');

/** The path that the first line of a block gives, as files of the repository do for the reader. */
function pathOf({ page, line, text }: Block): string {
  const path = /^\/\/ (\S+\.ts)\n/.exec(text)?.[1];
  if (path === undefined) throw new Error(`${page}:${line}: the first line is not "// <path>.ts"`);
  return path;
}

/** A copy of the tree by links, in which the snippets take the place of files of their name. */
function treeWith(root: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const linked of ['contracts', 'activities/http']) {
    mkdirSync(dirname(join(root, linked)), { recursive: true });
    symlinkSync(join(ROOT, linked), join(root, linked));
  }
  for (const copied of ['activities/tools', 'workflows', 'workflows/maps']) {
    mkdirSync(join(root, copied), { recursive: true });
    for (const name of readdirSync(join(ROOT, copied)).filter((one) => one.endsWith('.ts'))) {
      writeFileSync(join(root, copied, name), readFileSync(join(ROOT, copied, name)));
    }
  }
  for (const block of blocks) writeFileSync(join(root, pathOf(block)), block.text);
}

test('all blocks compile under the options of the repository', async () => {
  const root = folder();
  treeWith(root);
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
  const options = { ...compilerOptions, preserveSymlinks: true, types: ['node'] };
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: blocks.map(pathOf) }));
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  const { stdout } = await promisify(execFile)(compiler, ['--noEmit', '-p', root]).catch((error) => error);
  expect(stdout).toBe('');
});

test('a block with the name of a file of the repository says the same as the file', () => {
  const shown = blocks.filter(({ kind }) => kind === 'map');
  expect(shown.length).toBeGreaterThan(0);
  for (const block of shown) {
    const code = (text: string) => text.slice(text.indexOf('import'));
    expect(code(block.text)).toBe(code(readFileSync(join(ROOT, pathOf(block)), 'utf8')));
  }
});
