// The SDK's runtime for replays: an error is told once, by who asked for the replay, and not by the SDK's log as well.
import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { createLogger } from '../../worker/log';

/** Call once in a process, before the first replay. */
export function installQuietRuntime(): void {
  Runtime.install({
    logger: createLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
}
