// The little of an activity's context that work on the main queue uses: somewhere to beat.
import { asyncLocalStorage, type Context } from '@temporalio/activity';

/** Runs `work` as an activity would run it. */
export const inActivity = <Result>(work: () => Promise<Result>): Promise<Result> =>
  asyncLocalStorage.run({ heartbeat: () => undefined } as unknown as Context, work);
