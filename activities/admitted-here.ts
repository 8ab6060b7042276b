// Refuses work on a map whose rows are in another run store than this worker's, before anything is bought that could not be kept.
import { hostname } from 'node:os';
import { ApplicationFailure } from '@temporalio/activity';
import { type RunStore, RunStoreError } from './store/run-store';

/** Resolves when the map was admitted into this worker's store. Throws RunStoreError MAP_NOT_IN_STORE, or STORE_FAILED when the store is away. */
export type CheckAdmitted = (mapId: string) => Promise<void>;

/** Looks once for each map: what was admitted stays admitted. */
export function createAdmittedCheck(store: RunStore): CheckAdmitted {
  const known = new Set<string>();
  return async (mapId) => {
    if (known.has(mapId)) return;
    if ((await store.readManifest(mapId)) === null) throw notInStore(mapId, store);
    known.add(mapId);
  };
}

function notInStore(mapId: string, { place }: RunStore): RunStoreError {
  const here = `the run store ${place} of the worker on ${hostname()}`;
  const advice = 'give all workers of the namespace one SLUICE_RUN_STORE, or end this worker';
  return new RunStoreError(
    'MAP_NOT_IN_STORE',
    `map ${mapId} is not in ${here}: it was admitted into another; ${advice}`,
  );
}

/** Runs work of an admitted map. A fault of the store fails the try under its own code, and the engine tries again. */
export async function inStore<Result>(
  checkAdmitted: CheckAdmitted,
  mapId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    await checkAdmitted(mapId);
    return await work();
  } catch (error) {
    if (!(error instanceof RunStoreError)) throw error;
    throw ApplicationFailure.create({ message: error.message, type: error.code, cause: error });
  }
}
