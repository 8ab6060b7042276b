// Which map writes to a file: two that would write to one are told apart before either has bought anything.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ApplicationFailure } from '@temporalio/activity';
import { admissionRefusal } from './refusal';
import { OutputError } from './sinks/sink';
import type { RunStore } from './store/run-store';

/** What the server knows of maps, as a port: the worker hands in its Temporal client. */
export interface RunningMaps {
  /** Whether the workflow of this map is under way. */
  isRunning(mapId: string): Promise<boolean>;
}

/** The path with its folder as it really lies, so that links to it are the same place; the file itself need not be there. */
const placeOf = async (path: string): Promise<string> =>
  join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));

export const placesOf = (paths: readonly string[]): Promise<string[]> => Promise.all(paths.map(placeOf));

/**
 * Notes in the run store that the map writes to these files, all of them or none. A note of a map that runs no more, since it was
 * terminated or lost, is replaced. Throws OutputError OUTPUT_IN_USE, which names the other map.
 */
export async function claimOutputs(
  paths: readonly string[],
  mapId: string,
  { store, isRunning }: RunningMaps & { store: RunStore },
): Promise<void> {
  for (const place of await placesOf(paths)) {
    let holder = await store.claimOutput(place, mapId);
    while (holder !== mapId) {
      if (await isRunning(holder)) {
        await releaseOutputs(paths, mapId, store);
        const advice = `name another path, or wait for its end: sluice watch ${holder}`;
        throw new OutputError('OUTPUT_IN_USE', 'file', `${place} is an output of map ${holder}, which runs; ${advice}`);
      }
      holder = await store.claimOutput(place, mapId, holder);
    }
  }
}

/** Claims the files for a map that `work` admits. A refusal gives them back; after any other fault the map tries again. */
export async function claiming<Result>(
  paths: readonly string[],
  mapId: string,
  deps: RunningMaps & { store: RunStore },
  work: () => Promise<Result>,
): Promise<Result> {
  await claimOutputs(paths, mapId, deps);
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApplicationFailure || admissionRefusal(error)) await releaseOutputs(paths, mapId, deps.store);
    throw error;
  }
}

/** The files are free for other maps. Those that another map claims stay so. */
export async function releaseOutputs(paths: readonly string[], mapId: string, store: RunStore): Promise<void> {
  for (const place of await placesOf(paths)) await store.releaseOutput(place, mapId);
}
