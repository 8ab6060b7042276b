// The demo: a simulator that closes on us, a worker that is killed, a map over 300 companies, and the table that is whole all the same.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runCommandLine } from '../client/cli';
import { uiLink } from '../client/ui-link';
import { type DemoNamespace, openDemoNamespace } from './demo/demo-namespace';
import { type DemoShell, demoShell, processTerminal } from './demo/demo-shell';
import { previewTable } from './demo/preview-table';
import { tellClosing } from './demo/story';
import { startWorkerProcess, type WorkerProcess } from './demo/worker-process';
import { loadSimConfig } from './provider-sim/load-config';
import { type ProviderSim, startProviderSim } from './provider-sim/start';

const COMPANIES = join(__dirname, 'companies');
const ROOT = join(__dirname, '..');
const PROVIDERS = ['acme', 'beacon'];
/** The worker is killed when the providers have seen this many requests. */
const KILL_AFTER_REQUESTS = 150;
/** An interrupted demo cancels its map and waits this long for its end. */
const CANCEL_WITHIN_MS = 60_000;
const PREVIEW_ROWS = 8;
const PREVIEW_COLUMNS = ['domain', 'country', 'firm', 'size', 'email', '_status'];

function environmentFor(sim: ProviderSim, namespace: string, secrets: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...secrets,
    TEMPORAL_NAMESPACE: namespace,
    ACME_URL: `${sim.url}/acme`,
    BEACON_URL: `${sim.url}/beacon`,
    SLUICE_PROVIDERS: join(COMPANIES, 'providers'),
    SLUICE_DATA_ROOT: ROOT,
    // A lost worker is noticed sooner than by default, so that the demo does not have to wait for it.
    SLUICE_HEARTBEAT_TIMEOUT: '5s',
    SLUICE_PARKED_AFTER: '3s',
  };
}

function tellStart(shell: DemoShell, sim: ProviderSim, worker: WorkerProcess, own: DemoNamespace): void {
  shell.announce(
    `A simulator at ${sim.url} plays two providers; worker ${worker.pid} runs the calls.`,
    '  acme    20 requests/s, 10 at a time, 0.02 an answer: the firm of each company',
    '  beacon  40 requests/s, 5 at a time, 0.01 an answer: an address for those that acme knows',
    'Both will close with 429 on the way, and the worker will be killed. A row that is open for 3 s counts as parked (usually 30 s).',
    '',
    `$ sluice start ${relative(ROOT, join(COMPANIES, 'companies.map.yaml'))} --id ${own.mapId} --watch`,
  );
}

function tellEnd(shell: DemoShell, sim: ProviderSim, address: string, own: DemoNamespace): void {
  const { requests, charges, repeatedCharges, providers } = sim.summary();
  const table = join(COMPANIES, 'out', 'companies.csv');
  const link = uiLink(address, own.namespace, own.mapId);
  shell.announce(
    `The providers' own ledger: ${requests} requests, ${charges} charges, ${repeatedCharges} of them for an input that was paid before.`,
    ...Object.entries(providers).map(([name, { throttles }]) => `  ${name}: ${throttles} requests refused with 429`),
    '',
    `First rows of ${table}, some columns:`,
    '',
    previewTable(readFileSync(table, 'utf8'), { rows: PREVIEW_ROWS, columns: PREVIEW_COLUMNS, width: shell.columns() }),
    '',
    `Every call and timer is in the history of the workflows. While ./temporal-dev.sh runs: ${link}`,
    'Your own first map takes five minutes: README.md.',
  );
}

/** Kills the worker in the middle of the map and starts another one. */
async function replaceWorker(shell: DemoShell, worker: WorkerProcess): Promise<WorkerProcess> {
  shell.announce(`>>> kill -9 of worker ${worker.pid} after ${KILL_AFTER_REQUESTS} requests; another one starts.`);
  await worker.kill();
  const next = await startWorkerProcess(shell.env);
  shell.announce(
    `>>> worker ${next.pid} serves: every row goes on from its history, and what was paid is not bought again.`,
  );
  return next;
}

async function runMap(shell: DemoShell, sim: ProviderSim, first: WorkerProcess, own: DemoNamespace): Promise<number> {
  let replacing = Promise.resolve(first);
  let isOver = false;
  void sim
    .waitFor((entries) => isOver || entries.length >= KILL_AFTER_REQUESTS)
    .then(() => {
      if (isOver || shell.interrupted.aborted) return;
      replacing = replaceWorker(shell, first);
      replacing.catch(() => undefined);
    });
  const announce: DemoShell['announce'] = (...lines) => {
    if (!shell.interrupted.aborted) shell.announce(...lines);
  };
  for (const provider of PROVIDERS) void tellClosing(sim, provider, announce);
  try {
    const spec = join(COMPANIES, 'companies.map.yaml');
    const code = await runCommandLine(['start', spec, '--id', own.mapId, '--watch'], shell);
    if (shell.interrupted.aborted) {
      await replacing;
      shell.announce(`>>> interrupted: cancelling ${own.mapId}, so that nothing runs on.`);
      const ended = await own.cancelMap(CANCEL_WITHIN_MS);
      shell.announce(
        ended ? `>>> ${own.mapId} is cancelled.` : `>>> ${own.mapId} takes too long to cancel and is terminated.`,
      );
    }
    return code;
  } finally {
    isOver = true;
    await (await replacing).stop();
  }
}

/** Aborted by Ctrl-C, by a request to stop, and when the terminal is closed. */
function interruption(): AbortSignal {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());
  return interrupt.signal;
}

async function main(): Promise<number> {
  const interrupted = interruption();
  const address = process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233';
  const secrets = { ACME_KEY: 'demo-acme-key', BEACON_KEY: 'demo-beacon-key' };
  const sim = await startProviderSim(loadSimConfig(join(COMPANIES, 'provider-sim.yaml'), secrets));
  const own = await openDemoNamespace(address, Date.now().toString(36));
  try {
    const shell = demoShell(processTerminal(), environmentFor(sim, own.namespace, secrets), interrupted);
    const worker = await startWorkerProcess(shell.env);
    tellStart(shell, sim, worker, own);
    const code = await runMap(shell, sim, worker, own);
    if (code === 0) tellEnd(shell, sim, address, own);
    return code;
  } finally {
    await own.close();
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
