// The one error that verbs throw on purpose: a failure code, a message a person can act on, and the problems behind it.
import { type FailureCode, failureLine, type Problem } from '../contracts/failures';
import { exitCodeOf } from './exit-codes';

/** Everything else that is thrown is unexpected, and is reported with its own message and exit code 1. */
export class CommandError extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly problems: readonly Problem[] = [],
  ) {
    super(message);
    this.name = 'CommandError';
  }

  get exitCode(): number {
    return exitCodeOf(this.code);
  }

  /** The lines for stderr: the failure, then each problem with its place. */
  get lines(): string[] {
    return [failureLine(this.code, this.message), ...problemLines(this.problems, this.message)];
  }
}

/** One indented line a problem that the message above has not told; a problem of the whole document has an empty path. */
export const problemLines = (problems: readonly Problem[], told: string): string[] =>
  problems
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
    .filter((line) => !told.includes(line))
    .map((line) => `  ${line}`);
