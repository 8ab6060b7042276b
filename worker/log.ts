// The worker's log: what row programs, tools and calls say, without what the SDK tells about itself on every start and stop.
import { DefaultLogger, type LogEntry, type Logger, type LogLevel } from '@temporalio/worker';

/** A provider's Worker has activities only, which is what we want of it. */
const EXPECTED = 'No workflows registered, not polling for workflow tasks';

/** Parts of the SDK whose INFO entries are about its own states. */
const SDK_PARTS = ['worker', 'core'];

const isNoise = ({ level, message, meta }: LogEntry): boolean =>
  message === EXPECTED || (level === 'INFO' && SDK_PARTS.includes(String(meta?.sdkComponent)));

/** Writes to standard error, one line an entry. */
export function createLogger(level: LogLevel): Logger {
  return new DefaultLogger(level, (entry: LogEntry) => {
    if (isNoise(entry)) return;
    const time = new Date(Number(entry.timestampNanos / 1_000_000n)).toISOString();
    const meta = entry.meta
      ? ` ${JSON.stringify(entry.meta, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`
      : '';
    process.stderr.write(`${time} ${entry.level} ${entry.message}${meta}\n`);
  });
}
