// One line of the worker's log.
import { runInNewContext } from 'node:vm';
import { logLine } from '../../worker/log';

const entry = (meta: Record<string, unknown>) =>
  logLine({ level: 'WARN', message: 'Workflow failed', timestampNanos: 1_000_000n, meta });

it('says why, also in the words of the cause', () => {
  const error = new Error('Activity task failed', { cause: new TypeError('the store is away') });
  expect(entry({ error, bytes: 5n })).toBe(
    '1970-01-01T00:00:00.001Z WARN Workflow failed {"error":"Error: Activity task failed (TypeError: the store is away)","bytes":"5"}\n',
  );
});

it('knows an error of another realm, as workflows have them', () => {
  expect(entry({ error: runInNewContext('new Error("no such row")') })).toContain('{"error":"Error: no such row"}');
});

it('is one line whatever the message holds', () => {
  expect(entry({ error: new Error('a\nb') }).split('\n')).toHaveLength(2);
});
