// The end of a map: recorded first, so that its outputs can be written again at any later time, then written.
import { ApplicationFailure } from '@temporalio/activity';
import type { FinishInput, FinishResult } from '../contracts/activity-io';
import type { MapSpec } from '../contracts/schemas/map-spec';
import { releaseOutputs } from './claim-outputs';
import type { ReachCrashPoint } from './crash-points';
import { keepEarlier } from './keep-earlier';
import { outputFiles } from './output-paths';
import { OutputError } from './sinks/sink';
import { type RunStore, RunStoreError } from './store/run-store';
import { withHeartbeat } from './with-heartbeat';
import { writeOutput } from './write-output';

export interface FinishDeps {
  store: RunStore;
  dataRoot: string;
  reach: ReachCrashPoint;
}

/**
 * Outcomes that contradict each other no time cures: the map fails, and its parts stay. Everything else is tried again until somebody
 * has mended it, since every row is bought and kept; the error, which `watch`, `status` and `doctor` show, says the way out.
 */
function faultOf(error: unknown, { mapId }: FinishInput): unknown {
  if (error instanceof RunStoreError && error.code === 'RESULTS_INCONSISTENT')
    return ApplicationFailure.nonRetryable(error.message, error.code);
  if (!(error instanceof OutputError)) return error;
  const message = `${error.message}. Every row is kept; the map goes on by itself when that is mended. Its table elsewhere: sluice export ${mapId} --to <path>`;
  return ApplicationFailure.retryable(message, error.code);
}

/** A map that was reset after its end ends once more as it did, at the same instants: the outputs that are there are its own, byte for byte. */
async function asRecorded(store: RunStore, end: FinishInput): Promise<FinishInput> {
  const recorded = await store.readEnd(end.mapId);
  if (recorded?.runId !== end.runId || recorded.status !== end.status) return end;
  return { ...end, startedAtMs: recorded.startedAtMs, endedAtMs: recorded.endedAtMs };
}

/** The `finishMap` activity. Safe to repeat at any step: the same outcomes give the same bytes. */
export function createFinishMap(deps: FinishDeps): (input: FinishInput) => Promise<FinishResult> {
  const { store, dataRoot, reach } = deps;

  async function finish(input: FinishInput): Promise<FinishResult> {
    const { mapId, runId } = input;
    const manifest = await store.readManifest(mapId);
    if (!manifest) throw new RunStoreError('STORE_FAILED', `map ${mapId} has no manifest in ${store.place}`);
    const end = await asRecorded(store, input);
    await store.writeEnd(mapId, end);
    const spec = manifest.spec as unknown as MapSpec;
    const { overwrite } = spec.output;
    const result = await writeOutput(deps, { manifest, end }, { owner: runId, overwrite, keep: keepEarlier });
    reach('finish.after_rename');
    await releaseOutputs(outputFiles(spec, { dataRoot, mapId }), mapId, store);
    return result;
  }

  return (input) =>
    withHeartbeat(() =>
      finish(input).catch((error: unknown) => {
        throw faultOf(error, input);
      }),
    );
}
