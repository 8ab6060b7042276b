// `sluice gate`: shows and steers the gates that all workers share for each account of a provider.
import { type Command, Option } from 'commander';
import { CommandError } from './command-error';
import { connectionSettings } from './connection-settings';
import { EXIT } from './exit-codes';
import { gateIdOf, gateNameOf } from './gates/gate-name';
import { adjustment, concurrencyFlag, type GateSetFlags, rateFlag, unitProblem } from './gates/gate-settings';
import { gateNames, readGate, readGates } from './gates/read-gates';
import { gateLines, gateTable } from './gates/render-gate';
import { noSuchGate, steerGate } from './gates/steer-gate';
import { type Server, withServer } from './server';
import { print, printJson, type Shell } from './shell';
import { type CommonFlags, newVerb, runVerb, type VerbContext } from './verb';

export function gateVerb(context: VerbContext): Command {
  const gate = newVerb(
    'gate',
    'show and steer the gates of provider accounts',
    'All workers share one gate for each account of a provider. It knows until when the account is closed, which limits hold and who uses them.\nA gate is named <provider>.<account>, such as acme.default; "acme" means acme.default. Limits in another unit than requests have a gate of their own: acme.default.tokens.',
    [
      'sluice gate list',
      'sluice gate status acme.default',
      'sluice gate set acme.default --rate 10/1s --concurrency 4',
    ],
  );
  for (const verb of [listVerb, statusVerb, pauseVerb, resumeVerb, setVerb]) gate.addCommand(verb(context));
  return gate;
}

function listVerb(context: VerbContext): Command {
  return newVerb(
    'list',
    'all gates, one a line',
    'Shows each gate: open, closed until when, or paused; what is in use; its limits.',
    [
      'sluice gate list',
      'sluice gate list --json',
      `temporal workflow list --query "WorkflowType = 'providerGate' AND ExecutionStatus = 'Running'"   # the names alone`,
    ],
  ).action((_: unknown, command: Command) => onServer(context, command, list));
}

function statusVerb(context: VerbContext): Command {
  return newVerb(
    'status <gate>',
    'one gate, with the lease of each worker',
    'Shows why an account is closed, its limits, its counts, and what each worker has of them.',
    ['sluice gate status acme.default', 'temporal workflow query -w gate/acme/default --type status   # the same'],
  ).action((text: string, _: unknown, command: Command) =>
    onServer(context, command, (server, shell, json) => status(server, shell, json, text)),
  );
}

const pauseVerb = (context: VerbContext): Command =>
  newVerb(
    'pause <gate>',
    'send nothing to an account, for any map',
    'What was sent finishes. All workers and all maps obey, until resume.',
    ['sluice gate pause acme.default', 'temporal workflow signal -w gate/acme/default --name pause   # the same'],
  ).action((text: string, _: unknown, command: Command) => steer(context, command, text, { name: 'pause' }));

const resumeVerb = (context: VerbContext): Command =>
  newVerb(
    'resume <gate>',
    'go on after pause',
    'Ends a pause. A closing that the provider asked for goes on until its instant.',
    ['sluice gate resume acme.default', 'temporal workflow signal -w gate/acme/default --name resume   # the same'],
  ).action((text: string, _: unknown, command: Command) => steer(context, command, text, { name: 'resume' }));

function setVerb(context: VerbContext): Command {
  return newVerb(
    'set <gate>',
    'other limits than those of the provider file',
    'Holds at once and for all workers until it is set back. What is not named stays as it is; --rate takes the place of all windows.',
    [
      'sluice gate set acme.default --rate 10/1s --rate 5000/24h',
      'sluice gate set acme.default --concurrency 4',
      'sluice gate set acme.default --declared all',
      `temporal workflow signal -w gate/acme/default --name adjust --input '{ "concurrency": 4 }'   # the same`,
    ],
  )
    .option('--rate <limit/per>', 'calls in any window of this length; may be repeated', rateFlag)
    .option('--concurrency <n>', 'calls at the same time', concurrencyFlag)
    .addOption(new Option('--declared <what>', 'back to the provider file').choices(['rate', 'concurrency', 'all']))
    .action((text: string, flags: GateSetFlags, command: Command) => {
      const change = adjustment(flags);
      if (typeof change === 'string') command.error(`error: ${change}`);
      const problem = unitProblem(text, change);
      if (problem !== null) command.error(`error: ${problem}`);
      return steer(context, command, text, { name: 'set', change });
    });
}

type Steer = Parameters<typeof steerGate>[3];

function steer(context: VerbContext, command: Command, text: string, order: Steer): Promise<void> {
  const flags: CommonFlags = command.optsWithGlobals();
  return runVerb(context, flags, () => steerGate(context.shell, flags, text, order));
}

/** Flags may stand before or after the second word: both words know them. */
function onServer(
  context: VerbContext,
  command: Command,
  work: (server: Server, shell: Shell, json: boolean) => Promise<number>,
): Promise<void> {
  const flags: CommonFlags = command.optsWithGlobals();
  return runVerb(context, flags, () =>
    withServer(connectionSettings(flags, context.shell.env), (server) =>
      work(server, context.shell, flags.json === true),
    ),
  );
}

async function list(server: Server, shell: Shell, json: boolean): Promise<number> {
  const gates = await readGates(server, await gateNames(server));
  if (json) printJson(shell, { gates: gates.map(({ gate, answer }) => ({ gate, ...answer })) });
  else print(shell, ...gateTable(gates, shell.now()));
  return EXIT.ok;
}

async function status(server: Server, shell: Shell, json: boolean, text: string): Promise<number> {
  const gate = gateNameOf(gateIdOf(text));
  const answer = await readGate(server, gate);
  if (answer.kind === 'none') throw await noSuchGate(server, gate);
  if (answer.kind === 'silent') {
    throw new CommandError('NO_WORKER', `no worker answers for gate ${gate}; start one: ./temporal-dev.sh worker`);
  }
  if (json) printJson(shell, { gate, ...answer.status });
  else print(shell, ...gateLines(gate, answer.status, shell.now()));
  return EXIT.ok;
}
