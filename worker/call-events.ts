// Call events as lines of the worker's log and as metrics. Neither has the meta data of activities, which names rows.
import { Runtime } from '@temporalio/worker';
import type { CallEvent, TellCallEvent } from '../activities/call-events';

/** Metrics: counter `sluice_call_events`, histogram `sluice_call_step` in milliseconds; labels event, provider, account, tool. */
export function createCallEvents(runtime: Pick<Runtime, 'logger' | 'metricMeter'> = Runtime.instance()): TellCallEvent {
  const { logger, metricMeter } = runtime;
  const count = metricMeter.createCounter(
    'sluice_call_events',
    '1',
    'Steps of calls that their provider has throttled',
  );
  const elapsed = metricMeter.createHistogram('sluice_call_step', 'int', 'ms', 'Time that such a step took');
  return ({ event, elapsedMs, ...facts }: CallEvent) => {
    const { provider, account, tool } = facts;
    const labels = { event: event.replaceAll(' ', '_'), provider, account, tool };
    count.add(1, labels);
    elapsed.record(Math.round(elapsedMs), labels);
    const meta = { ...facts, elapsedMs: Math.round(elapsedMs) };
    if (event === 'needs person')
      logger.error(`account ${provider}.${account} needs a person, nothing more is sent to it`, meta);
    else logger.info(event, meta);
  };
}
