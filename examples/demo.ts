// The demo: a simulator that closes on us, a worker that is killed, a map over 300 companies, and the table that is whole all the same.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { previewTable } from './demo/preview-table';
import { startWorkerProcess, type WorkerProcess } from './demo/worker-process';
import { loadSimConfig } from './provider-sim/load-config';
import { type ProviderSim, startProviderSim } from './provider-sim/start';

const COMPANIES = join(__dirname, 'companies');
const ROOT = join(__dirname, '..');
/** The worker is killed when the providers have seen this many requests. */
const KILL_AFTER_REQUESTS = 150;
const PREVIEW_ROWS = 8;

const say = (text: string) => process.stdout.write(`${text}\n`);

function environmentFor(sim: ProviderSim, secrets: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...secrets,
    ACME_URL: `${sim.url}/acme`,
    BEACON_URL: `${sim.url}/beacon`,
    SLUICE_PROVIDERS: join(COMPANIES, 'providers'),
    SLUICE_DATA_ROOT: ROOT,
    // A lost worker is noticed sooner than by default, so that the demo does not have to wait for it.
    SLUICE_HEARTBEAT_TIMEOUT: '5s',
    SLUICE_PARKED_AFTER: '3s',
  };
}

/** Runs `sluice start --watch` to its end and returns its exit status. */
function runMap(environment: NodeJS.ProcessEnv, mapId: string): Promise<number> {
  const spec = join(COMPANIES, 'companies.map.yaml');
  const child = spawn(process.execPath, [join(ROOT, 'client', 'sluice.js'), 'start', spec, '--id', mapId, '--watch'], {
    env: environment,
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function killOnce(
  sim: ProviderSim,
  worker: WorkerProcess,
  environment: NodeJS.ProcessEnv,
): Promise<WorkerProcess> {
  await sim.waitFor((entries) => entries.length >= KILL_AFTER_REQUESTS);
  await worker.kill();
  say(`\n*** kill -9 of worker ${worker.pid} after ${KILL_AFTER_REQUESTS} requests; starting another one ***\n`);
  return startWorkerProcess(environment);
}

function tellResult(sim: ProviderSim): void {
  const { requests, charges, repeatedCharges, providers } = sim.summary();
  say(
    `\nThe providers' own ledger: ${requests} requests, ${charges} charges, ${repeatedCharges} of them for an input that was paid before.`,
  );
  for (const [name, { throttles }] of Object.entries(providers))
    say(`  ${name}: ${throttles} requests refused with 429`);
  say(`\nFirst rows of ${join(COMPANIES, 'out', 'companies.csv')}:\n`);
  say(
    previewTable(
      readFileSync(join(COMPANIES, 'out', 'companies.csv'), 'utf8'),
      PREVIEW_ROWS,
      process.stdout.columns ?? 120,
    ),
  );
}

async function main(): Promise<number> {
  const secrets = { ACME_KEY: 'demo-acme-key', BEACON_KEY: 'demo-beacon-key' };
  const sim = await startProviderSim(loadSimConfig(join(COMPANIES, 'provider-sim.yaml'), secrets));
  const environment = environmentFor(sim, secrets);
  let worker = await startWorkerProcess(environment);
  say(`Provider simulator at ${sim.url}; worker ${worker.pid}.`);
  say('acme: 20 requests/s, 10 at a time. beacon: 40 requests/s, 5 at a time. Both will close with 429 on the way.\n');
  try {
    const killing = killOnce(sim, worker, environment).then((next) => {
      worker = next;
    });
    const code = await runMap(environment, `companies-${Date.now().toString(36)}`);
    if (code === 0) {
      await killing;
      tellResult(sim);
    }
    return code;
  } finally {
    await worker.stop();
    await sim.close();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
