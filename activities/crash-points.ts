// Named places between an effect and its record, where a test can end the process: the code that ships is the code that crashes.

export type CrashPoint =
  /** The sending mark is on the server, the request has not left. */
  | 'call.before_send'
  /** The answer is here, nothing of it is recorded. */
  | 'call.after_answer'
  /** A part is in the run store, the page does not know it yet. */
  | 'results.after_write'
  /** The table has its name, the map does not know it yet. */
  | 'finish.after_rename';

export const CRASH_POINTS: readonly CrashPoint[] = [
  'call.before_send',
  'call.after_answer',
  'results.after_write',
  'finish.after_rename',
];

/** Called when a point is reached; does nothing outside crash tests. */
export type ReachCrashPoint = (point: CrashPoint) => void;
