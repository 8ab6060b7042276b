// A table that a map replaces although its own is not complete: the earlier one stays beside it.
import { constants, copyFile, link, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Of these paths the ones at which there is something. */
export async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(isThere));
  return paths.filter((_, at) => found[at]);
}

/** `out/firms.csv` is kept as `out/firms.before-<map id>.csv`. */
function keptPath(path: string, mapId: string): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.before-${mapId}${ext}`);
}

const code = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Gives the files a second name, once: a finish that is repeated finds it there. Answers the names. */
export async function keepEarlier(paths: readonly string[], mapId: string): Promise<string[]> {
  for (const path of paths) {
    const kept = keptPath(path, mapId);
    if (await isThere(kept)) continue;
    try {
      await link(path, kept);
    } catch (error) {
      if (code(error) === 'ENOENT') continue; // moved away while the map ran
      if (code(error) !== 'EEXIST') await copyFile(path, kept, constants.COPYFILE_EXCL); // no links on this file system
    }
  }
  return keptEarlier(paths, mapId);
}

/** The names under which earlier tables of these paths are kept. */
export const keptEarlier = (paths: readonly string[], mapId: string): Promise<string[]> =>
  existing(paths.map((path) => keptPath(path, mapId)));
