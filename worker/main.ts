// The worker process: `npm run worker`. Ends with 0 after SIGTERM or SIGINT, with 2 on wrong settings, with 1 on any other failure.
import { Runtime } from '@temporalio/worker';
import { ProviderFileError } from '../activities/tools/provider-file-error';
import { failureLine } from '../contracts/failures';
import { ConfigError, readConfig } from './config';
import { type ConnectionSettings, readConnection } from './connection';
import { answerToArguments } from './help';
import { createLogger } from './log';
import { startWorker } from './run';

interface Explanation {
  message: string;
  exitCode: number;
}

/** `connection`: null while it is not known. */
function explain(error: unknown, connection: ConnectionSettings | null): Explanation {
  if (error instanceof ConfigError || error instanceof ProviderFileError)
    return { message: error.message, exitCode: 2 };
  const message = error instanceof Error ? error.message : String(error);
  if (connection === null) return { message, exitCode: 1 };
  const { namespace } = connection;
  const { address } = connection.connectionOptions;
  if (/^Namespace .* was not found/.test(message)) {
    const what = `${address} has no namespace "${namespace}". Choose one with TEMPORAL_NAMESPACE, or create it: temporal operator namespace create --namespace ${namespace} --retention 30d`;
    return { message: failureLine('NAMESPACE_NOT_FOUND', what), exitCode: 1 };
  }
  if (/connect|transport|unavailable/i.test(message)) {
    const what = `no Temporal server answers at ${address}: ${message}. Start one with ./temporal-dev.sh, or set TEMPORAL_ADDRESS`;
    return { message: failureLine('SERVER_UNREACHABLE', what), exitCode: 1 };
  }
  return { message, exitCode: 1 };
}

async function main(): Promise<number> {
  const answer = answerToArguments(process.argv.slice(2));
  if (answer) {
    (answer.exitCode === 0 ? process.stdout : process.stderr).write(answer.text);
    return answer.exitCode;
  }
  let connection: ConnectionSettings | null = null;
  try {
    connection = readConnection(process.env);
    const config = readConfig(process.env, process.cwd());
    // Signals are ours: unsent calls must go back before the Workers drain.
    Runtime.install({
      shutdownSignals: [],
      logger: createLogger(config.logLevel),
      ...(config.metricsAddress === null
        ? {}
        : { telemetryOptions: { metrics: { prometheus: { bindAddress: config.metricsAddress } } } }),
    });
    const worker = await startWorker(config, connection);
    let signals = 0;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        signals += 1;
        if (signals > 1) process.exit(1);
        process.stderr.write(`${signal}: stopping; calls that were sent may end, a second signal stops at once\n`);
        worker.stop();
      });
    }
    process.stderr.write(
      `worker ${worker.identity} serves ${connection.namespace} at ${connection.connectionOptions.address}\n`,
    );
    await worker.finished;
    return 0;
  } catch (error) {
    const { message, exitCode } = explain(error, connection);
    process.stderr.write(`${message}\n`);
    return exitCode;
  }
}

void main().then((code) => process.exit(code));
