// Runs a provider simulator as a process: tsx examples/provider-sim/main.ts --config sim.yaml [--port 0] [--ledger file]
import { parseArgs } from 'node:util';
import { loadSimConfig } from './load-config';
import { startProviderSim } from './start';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { config: { type: 'string' }, port: { type: 'string' }, ledger: { type: 'string' } },
  });
  if (values.config === undefined) throw new Error('--config: got nothing, expected the path of a YAML or JSON file');
  const options = loadSimConfig(values.config, process.env);
  const sim = await startProviderSim({
    ...options,
    ...(values.port === undefined ? {} : { port: Number(values.port) }),
    ...(values.ledger === undefined ? {} : { ledgerFile: values.ledger }),
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void sim.close());
  process.stdout.write(`provider-sim listening on ${sim.url}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`provider-sim: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
