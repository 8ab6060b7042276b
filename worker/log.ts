// The worker's log: warnings and errors, without the one warning that every provider account would repeat.
import { DefaultLogger, type LogEntry, type Logger, type LogLevel } from '@temporalio/worker';

/** A provider's Worker has activities only, which is what we want of it. */
const EXPECTED = 'No workflows registered, not polling for workflow tasks';

/** Writes to standard error, one line an entry. */
export function createLogger(level: LogLevel): Logger {
  return new DefaultLogger(level, (entry: LogEntry) => {
    if (entry.message === EXPECTED) return;
    const time = new Date(Number(entry.timestampNanos / 1_000_000n)).toISOString();
    const meta = entry.meta
      ? ` ${JSON.stringify(entry.meta, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`
      : '';
    process.stderr.write(`${time} ${entry.level} ${entry.message}${meta}\n`);
  });
}
