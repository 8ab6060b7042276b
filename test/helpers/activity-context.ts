// The little of an activity's context that work in a test uses: somewhere to beat, and for calls a server that takes their marks.
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { defaultDataConverter } from '@temporalio/common';

/** Runs `work` as an activity would run it. */
export const inActivity = <Result>(work: () => Promise<Result>): Promise<Result> =>
  asyncLocalStorage.run({ heartbeat: () => undefined } as unknown as Context, work);

/** Runs `work` as the activity of a call that nobody cancels. */
export function inCall<Result>(work: (context: Context) => Promise<Result>): Promise<Result> {
  const quiet = () => undefined;
  const context = {
    info: { namespace: 'test', taskToken: new Uint8Array(), currentAttemptScheduledTimestampMs: 0 },
    log: { info: quiet, warn: quiet, error: quiet },
    heartbeat: quiet,
    cancellationSignal: new AbortController().signal,
    client: {
      workflowService: { recordActivityTaskHeartbeat: async () => ({ cancelRequested: false }) },
      options: { identity: 'test', loadedDataConverter: defaultDataConverter },
    },
  } as unknown as Context;
  return asyncLocalStorage.run(context, () => work(context));
}
