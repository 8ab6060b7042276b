// The command line `sluice`: wires the verbs and turns the process into a shell for them.
import { Command, CommanderError } from 'commander';
import { version } from '../package.json';
import { cancelVerb } from './cancel';
import { checkVerb } from './check';
import { doctorVerb } from './doctor';
import { EXIT, EXIT_CODE_HELP } from './exit-codes';
import { explainVerb } from './explain';
import { exportVerb } from './export';
import { gateVerb } from './gate';
import { listVerb } from './list';
import { pauseVerb } from './pause';
import { redriveVerb } from './redrive';
import { resumeVerb } from './resume';
import { setCapsVerb } from './set-caps';
import { setConcurrencyVerb } from './set-concurrency';
import { printJson, processShell, type Shell } from './shell';
import { specVerb } from './spec';
import { startVerb } from './start';
import { statusVerb } from './status';
import { unknownVerb } from './unknown';
import type { VerbContext } from './verb';
import { watchVerb } from './watch';

const VERBS = [
  checkVerb,
  startVerb,
  watchVerb,
  statusVerb,
  listVerb,
  pauseVerb,
  resumeVerb,
  cancelVerb,
  setConcurrencyVerb,
  setCapsVerb,
  explainVerb,
  unknownVerb,
  gateVerb,
  redriveVerb,
  exportVerb,
  doctorVerb,
  specVerb,
];

/** Runs one command line (without node and script) and gives its exit code; throws nothing that a person could cause. */
export async function runCommandLine(args: readonly string[], shell: Shell): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = buildProgram({
    shell,
    finish: (code) => {
      exitCode = code;
    },
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.ok;
    if (args.includes('--json')) printJson(shell, { error: { code: 'USAGE', message: error.message, problems: [] } });
    return EXIT.badInput;
  }
  return exitCode;
}

/** Entry of the executable. The exit code is set, not forced, so that output which is still in a pipe gets out. */
export async function runFromProcess(): Promise<void> {
  process.exitCode = await runCommandLine(process.argv.slice(2), processShell());
}

function buildProgram(context: VerbContext): Command {
  const program = new Command('sluice')
    .description('Runs paid, rate-limited tools over every row of a dataset, durably, on Temporal.')
    .version(version)
    .addHelpText('after', `\nFirst: sluice start companies.map.yaml --watch\n${EXIT_CODE_HELP}`);
  for (const verb of VERBS) program.addCommand(verb(context));
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .showHelpAfterError(`(see: ${pathOf(command)} --help)`)
      .configureOutput({
        writeOut: (text) => context.shell.out(text),
        writeErr: (text) => context.shell.err(text),
      });
  }
  return program;
}

const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)];

/** `sluice gate set`: the words that lead to a command. */
const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
