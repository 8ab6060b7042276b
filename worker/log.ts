// The worker's log: what row programs, tools and calls say, without what the SDK tells about itself on every start and stop.
import { types } from 'node:util';
import { DefaultLogger, type LogEntry, type Logger, type LogLevel } from '@temporalio/worker';

/** A provider's Worker has activities only, which is what we want of it. */
const EXPECTED = 'No workflows registered, not polling for workflow tasks';

/** Parts of the SDK whose INFO entries are about its own states. */
const SDK_PARTS = ['worker', 'core'];

const isNoise = ({ level, message, meta }: LogEntry): boolean =>
  message === EXPECTED || (level === 'INFO' && SDK_PARTS.includes(String(meta?.sdkComponent)));

/** An error has no members that JSON would show, and the reason may be in its causes. */
function errorText(error: Error): string {
  const text = `${error.name}: ${error.message}`;
  return types.isNativeError(error.cause) ? `${text} (${errorText(error.cause)})` : text;
}

const printable = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  // By its tag: one from a workflow is of another realm, with classes of its own.
  return types.isNativeError(value) ? errorText(value) : value;
};

/** An entry as one line: time, level, message, and its details as JSON. */
export function logLine({ level, message, meta, timestampNanos }: LogEntry): string {
  const time = new Date(Number(timestampNanos / 1_000_000n)).toISOString();
  return `${time} ${level} ${message}${meta ? ` ${JSON.stringify(meta, printable)}` : ''}\n`;
}

/** Writes to standard error, one line an entry. */
export function createLogger(level: LogLevel): Logger {
  return new DefaultLogger(level, (entry: LogEntry) => {
    if (!isNoise(entry)) process.stderr.write(logLine(entry));
  });
}
