// What all verbs have in common: connection flags, --json, examples and exit codes in the help, and one way to fail.
import { Command, InvalidArgumentError } from 'commander';
import { CommandError } from './command-error';
import { type ConnectionFlags, DEFAULT_ADDRESS, DEFAULT_NAMESPACE } from './connection-settings';
import { EXIT, EXIT_CODE_HELP } from './exit-codes';
import { printJson, type Shell, tell } from './shell';

export interface CommonFlags extends ConnectionFlags {
  json?: boolean;
}

/** What a verb file needs to build its command. `finish` takes the exit code. */
export interface VerbContext {
  shell: Shell;
  finish(exitCode: number): void;
}

/** A command with the common flags; `usage` is the name and its argument, `examples` are command lines. */
export function newVerb(usage: string, summary: string, description: string, examples: readonly string[]): Command {
  const [name, argument] = usage.split(' ');
  const command = new Command(name);
  if (argument !== undefined) command.argument(argument);
  return command
    .summary(summary)
    .description(description)
    .optionsGroup(
      'Connection (also TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS… or a profile):',
    )
    .option('--address <host:port>', `Temporal server (default ${DEFAULT_ADDRESS})`)
    .option('--namespace <name>', `namespace (default "${DEFAULT_NAMESPACE}")`)
    .option('--profile <name>', 'profile of the Temporal configuration file')
    .optionsGroup('Options:')
    .option('--json', 'print JSON on stdout and nothing else there')
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}\n${EXIT_CODE_HELP}`);
}

/** Runs the work of a verb and hands its exit code on; a failure is told on stderr, with --json also as a document. */
export async function runVerb(
  { shell, finish }: VerbContext,
  flags: CommonFlags,
  work: () => Promise<number>,
): Promise<void> {
  try {
    finish(await work());
  } catch (error) {
    finish(reportFailure(shell, error, flags.json === true));
  }
}

function reportFailure(shell: Shell, error: unknown, json: boolean): number {
  if (error instanceof CommandError) {
    tell(shell, ...error.lines);
    if (json) printJson(shell, { error: { code: error.code, message: error.message, problems: error.problems } });
    return error.exitCode;
  }
  const message = errorChain(error).join(': ');
  tell(shell, `unexpected error: ${message}`);
  if (json) printJson(shell, { error: { code: null, message, problems: [] } });
  return EXIT.failed;
}

/** Messages from the outermost error to its cause: the SDK's own ones say little. */
function errorChain(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  return error.cause === undefined ? [error.message] : [error.message, ...errorChain(error.cause)];
}

/** Parser of a flag that takes a whole number within closed bounds. */
export const wholeNumberFlag =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };

/** Names that are separated by commas. */
export const namesFlag = (text: string): string[] => text.split(',').filter((name) => name !== '');
