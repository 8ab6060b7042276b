// What a map that has ended tells in several places, and that all of them tell the same.
import { WorkflowFailedError } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import type { MapProgress, MapResult } from '../../contracts/results';
import type { StartedMap } from '../helpers/map-lab';
import { statusesOf } from './look';

/** Of a map that was cancelled natively: its workflow ends Canceled, which has no result, but the summary file tells all. */
export async function canceledResult(map: StartedMap): Promise<MapResult> {
  const error: unknown = await map.result().then(
    () => new Error('the workflow completed'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof CancelledFailure)) throw error;
  expect((await map.handle.describe()).status.name).toBe('CANCELLED');
  return map.summary();
}

/** The counts of a map that has ended, wherever they are told. */
export async function expectSameCounts(map: StartedMap, { rows, cardinality }: MapResult): Promise<MapProgress> {
  const progress = await map.progress();
  expect(progress).toMatchObject({ rows, open: 0, parked: 0, notStarted: 0, openPages: [] });
  expect(progress.cardinality).toEqual(cardinality);
  expect(statusesOf(await map.table())).toEqual(Object.fromEntries(Object.entries(rows).filter(([, n]) => n > 0)));
  return progress;
}
