// Checks before the first row runs that every output can be written later.
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { openOutputFile, unwritable } from './output-file';
import { OutputError } from './sink';

export interface CheckOutputOptions {
  /** Files that exist may be replaced at the end. */
  overwrite: boolean;
  /** Source files of the map, which are never replaced. */
  inputPaths?: readonly string[];
}

/** Creates missing folders. Throws OutputError OUTPUT_IS_INPUT, OUTPUT_EXISTS or OUTPUT_UNWRITABLE with the path. */
export async function checkOutput(paths: readonly string[], options: CheckOutputOptions): Promise<void> {
  const { overwrite } = options;
  await checkPlaces(paths, options);
  for (const path of paths) {
    // A trial file is the one check that also covers quotas, read-only mounts and folders that are files.
    const trial = await openOutputFile({ path, owner: 'check', overwrite });
    await trial.abort();
  }
}

/** The same without a trace: what can be known without writing. */
export async function checkPlaces(
  paths: readonly string[],
  { overwrite, inputPaths = [] }: CheckOutputOptions,
): Promise<void> {
  const inputs = (await Promise.all(inputPaths.map(statIfPresent))).filter((input) => input !== null);
  for (const [at, path] of paths.entries()) {
    if (paths.indexOf(path) < at) {
      throw new OutputError('OUTPUT_EXISTS', 'file', `${path} is the place of two outputs; expected one path for each`);
    }
    const there = await statIfPresent(path);
    if (there) refuseExisting(path, there, inputs, overwrite);
  }
}

function refuseExisting(path: string, there: Stats, inputs: readonly Stats[], overwrite: boolean): void {
  // By device and inode: links and other spellings of a path are the same file.
  if (inputs.some((input) => there.dev === input.dev && there.ino === input.ino)) {
    throw new OutputError('OUTPUT_IS_INPUT', 'file', `${path} is the source of the map; expected another file`);
  }
  if (!there.isFile()) {
    const kind = there.isDirectory() ? 'a folder' : 'no regular file';
    throw new OutputError('OUTPUT_UNWRITABLE', 'file', `${path} is ${kind}; expected the path of a file`);
  }
  if (!overwrite) throw new OutputError('OUTPUT_EXISTS', 'file', `${path} exists; name another path or set overwrite`);
}

async function statIfPresent(path: string): Promise<Stats | null> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw unwritable(path, error);
  });
}
