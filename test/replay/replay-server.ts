// The command `npm run replay`: replays what a server holds against the workflows of this tree, and says of each whether it survives.
import { Worker } from '@temporalio/worker';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { CommandError } from '../../client/command-error';
import { type ConnectionFlags, connectionSettings } from '../../client/connection-settings';
import { withServer } from '../../client/server';
import type { Shell } from '../../client/shell';
import { workflowBundle } from '../../worker/bundle';
import { serverHistories, visibilityQuery } from './server-histories';

const DEFAULT_LIMIT = 100;

interface Flags extends Pick<ConnectionFlags, 'namespace' | 'profile'> {
  from?: string;
  query?: string;
  limit: number;
}

type Output = Pick<Shell, 'out' | 'err' | 'env'>;

function count(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('expected a whole number from 1');
}

async function replay({ from, namespace, profile, ...selection }: Flags, { out, err, env }: Output): Promise<number> {
  const flags = { address: from, namespace, profile };
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  const counts = { passed: 0, failed: 0 };
  await withServer(connectionSettings(given, env), async ({ client }) => {
    const bundle = await workflowBundle();
    const histories = serverHistories(client, selection);
    for await (const { workflowId, runId, error } of Worker.runReplayHistories({ workflowBundle: bundle }, histories)) {
      counts[error ? 'failed' : 'passed'] += 1;
      out(error ? `FAILED ${workflowId} ${runId}: ${error.message}\n` : `passed ${workflowId} ${runId}\n`);
    }
  });
  if (counts.passed + counts.failed === 0)
    err(`nothing to replay: no workflow matches ${visibilityQuery(selection)}\n`);
  out(`${counts.passed} passed, ${counts.failed} failed\n`);
  return counts.failed > 0 ? 1 : 0;
}

/** Runs the command and gives its exit code: 0 all passed, 1 some failed, 2 wrong flags or settings, 5 no server. */
export async function runReplay(args: readonly string[], output: Output): Promise<number> {
  const command = new Command('npm run replay --')
    .description('Replays the workflows of a server against this code. Nothing is changed on the server.')
    .option('--from <address>', 'server, host:port; default TEMPORAL_ADDRESS, the profile, or 127.0.0.1:7233')
    .option('--namespace <name>', 'default TEMPORAL_NAMESPACE, the profile, or default')
    .option('--profile <name>', 'profile of the Temporal configuration file, with its TLS and API key')
    .option('--query <query>', 'visibility query, such as \'ExecutionStatus = "Running"\'')
    .option('--limit <n>', 'most histories, newest first', count, DEFAULT_LIMIT)
    .exitOverride()
    .configureOutput({ writeOut: output.out, writeErr: output.err });
  try {
    return await replay(command.parse(args, { from: 'user' }).opts<Flags>(), output);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof CommandError)) throw error;
    output.err(`${error.lines.join('\n')}\n`);
    return error.exitCode;
  }
}
