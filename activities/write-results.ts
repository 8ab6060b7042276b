// One flush of a page into the run store. A page that was reset flushes other batches than in its first life: no row is written twice.
import type { WriteResultsInput } from '../contracts/activity-io';
import type { ReachCrashPoint } from './crash-points';
import { type RunStore, RunStoreError } from './store/run-store';

export interface WriteResultsDeps {
  store: RunStore;
  reach: ReachCrashPoint;
}

const isOtherPart = (error: unknown): boolean =>
  error instanceof RunStoreError && error.code === 'RESULTS_INCONSISTENT';

/** Writes as a part of its own what no part of the page has yet: the first outcome of a row stands. */
async function writeRest(store: RunStore, { mapId, page, outcomes }: WriteResultsInput): Promise<void> {
  const parts = await store.listParts(mapId, page);
  const known = new Set<string>();
  for (const { part } of parts) {
    for (const { identity } of await store.readPart(mapId, page, part)) known.add(identity);
  }
  const rest = outcomes.filter(({ identity }) => !known.has(identity));
  const next = Math.max(...parts.map(({ part }) => part)) + 1;
  if (rest.length > 0) await store.writePart(mapId, page, next, rest);
}

/** The `writeResults` activity. Safe to repeat: what is there is only confirmed. */
export function createWriteResults({ store, reach }: WriteResultsDeps): (input: WriteResultsInput) => Promise<void> {
  return async (input) => {
    try {
      await store.writePart(input.mapId, input.page, input.part, input.outcomes);
    } catch (error) {
      if (!isOtherPart(error)) throw error;
      await writeRest(store, input);
    }
    reach('results.after_write');
  };
}
