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
    return [failureLine(this.code, this.message), ...problemLines(this.problems)];
  }
}

/** One indented line a problem; a problem of the whole document has an empty path. */
export const problemLines = (problems: readonly Problem[]): string[] =>
  problems.map((problem) => (problem.path ? `  ${problem.path}: ${problem.message}` : `  ${problem.message}`));
