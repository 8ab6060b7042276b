// The workflow bundle, built once for each state of the sources and kept beside the dependencies: a restart costs no build.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';

const ROOT = join(__dirname, '..');
const CACHE = join(ROOT, 'node_modules', '.cache', 'sluice');

async function sourceFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath, name }) => join(parentPath, name));
}

async function digestOfSources(workflowsPath: string): Promise<string> {
  const folders = new Set([join(workflowsPath, '..'), join(ROOT, 'workflows'), join(ROOT, 'contracts')]);
  const files = (await Promise.all([...folders].map(sourceFiles))).flat();
  const digest = createHash('sha256').update(workflowsPath);
  for (const file of [join(ROOT, 'package-lock.json'), ...files.sort()])
    digest.update(file).update(await readFile(file));
  return digest.digest('hex').slice(0, 32);
}

/** Code of the bundle for `workflowsPath`, default the workflows of this worker. */
export async function workflowBundle(
  workflowsPath = join(ROOT, 'workflows', 'index.ts'),
): Promise<WorkflowBundleWithSourceMap> {
  const path = join(CACHE, `workflows-${await digestOfSources(workflowsPath)}.js`);
  const cached = await readFile(path, 'utf8').catch(() => null);
  if (cached !== null) return { code: cached, sourceMap: '' };
  await mkdir(CACHE, { recursive: true });
  const program = ['--require', 'tsx/cjs', join(__dirname, 'bundle-main.ts')];
  await promisify(execFile)(process.execPath, [...program, workflowsPath, path], { cwd: ROOT });
  return { code: await readFile(path, 'utf8'), sourceMap: '' };
}
