// A whole Sluice for one test file: a namespace of its own, a provider simulator, provider files, workers, and maps to run on them.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import { stringify } from 'yaml';
import type { DefinedTool } from '../../activities/tools/define-tool';
import { CONTROL_SIGNAL, MAIN_TASK_QUEUE, QUERY, WORKFLOW } from '../../contracts/names';
import type { MapProgress, MapResult, MapSummary } from '../../contracts/results';
import { startWorkerProcess, type WorkerProcess } from '../../examples/demo/worker-process';
import type { SimOptions } from '../../examples/provider-sim/options';
import { type ProviderSim, startProviderSim } from '../../examples/provider-sim/start';
import { readConfig } from '../../worker/config';
import { createLogger } from '../../worker/log';
import { type RunningWorker, startWorker } from '../../worker/run';
import { openTestNamespace } from './test-namespace';

/** What a test says of one provider file; the rest is the usual: `GET /v1/company` and `/v1/email` of the simulator. */
export interface LabProvider {
  limits?: { rate?: { limit: number; per: string }[]; concurrency?: number };
  price?: number;
  /** Sends the billing id as Idempotency-Key; default true. */
  idempotent?: boolean;
  effect?: 'read' | 'write';
  timeout?: string;
  secret?: string;
  /** Default: the simulator's. */
  baseUrl?: string;
  giveUpAfter?: string;
  /** Of its tools; default: what the worker makes of the file. */
  version?: string;
  /** Default `run`: most tests count the requests of each row. */
  share?: 'run' | 'all';
  /** Of its tool `research`, whose calls are jobs; it is there when this is. */
  job?: {
    every?: string;
    deadline?: string;
    result?: boolean;
    cancel?: boolean;
    byLocation?: boolean;
    charged?: 'start' | 'success';
  };
}

export interface LabOptions {
  sim: SimOptions;
  providers: { [provider: string]: LabProvider };
  /** Environment of the workers, such as SLUICE_HEARTBEAT_TIMEOUT. */
  environment?: { [name: string]: string };
  /** Another server than the one of this jest run. */
  address?: string;
  /** Entry of the workflow bundle of workers in this process; default the workflows that ship. */
  workflowsPath?: string;
  /** Code tools of workers in this process, over the address of the simulator; default those that ship. */
  codeTools?: (simUrl: string) => DefinedTool[];
  /** TypeScript program of worker processes; default the worker that ships. */
  workerProgram?: string;
}

export interface MapSpecInput {
  [name: string]: unknown;
}

export interface StartedMap {
  mapId: string;
  handle: WorkflowHandle;
  result(): Promise<MapResult>;
  progress(): Promise<MapProgress>;
  signal(name: keyof typeof CONTROL_SIGNAL, ...payload: unknown[]): Promise<void>;
  /** Rows of the JSON Lines table. */
  table(): Promise<{ [column: string]: unknown }[]>;
  failures(): Promise<{ [name: string]: unknown }[]>;
  summary(): Promise<MapSummary>;
}

export interface MapLab {
  folder: string;
  namespace: string;
  address: string;
  client: Client;
  sim: ProviderSim;
  /** Environment that the workers get, but for secrets and connection. */
  settings: { [name: string]: string };
  /** A worker in this process. */
  worker(): Promise<RunningWorker>;
  /** A worker as a process of its own, which can be killed. `extra` is added to its environment. */
  workerProcess(extra?: { [name: string]: string }): Promise<WorkerProcess>;
  /** Starts a map; `output` and `name` are filled in when left out, unless it is a redrive. */
  start(spec: MapSpecInput, mapId?: string): Promise<StartedMap>;
  close(): Promise<void>;
}

Runtime.install({ shutdownSignals: [], logger: createLogger('ERROR') });

const SECRET_VARIABLE = (provider: string) => `SLUICE_TEST_${provider.toUpperCase()}_SECRET`;

function providerFile(name: string, own: LabProvider, simUrl: string): object {
  const { limits = {}, price = 0.01, idempotent = true, effect = 'read', timeout = '10s', secret, giveUpAfter } = own;
  const tool = (path: string) => ({
    ...versionOf(own),
    effect,
    price,
    share: own.share ?? 'run',
    timeout,
    request: { method: 'GET', path, query: { domain: '{{ input.domain }}' } },
    response: {
      value: '{{ body.data }}',
      missWhen: '{{ status = 404 }}',
      requestId: "{{ $lookup(headers, 'x-request-id') }}",
    },
  });
  return {
    provider: name,
    baseUrl: own.baseUrl ?? `${simUrl}/${name}`,
    ...(secret === undefined
      ? {}
      : {
          accounts: { default: { secret: { env: SECRET_VARIABLE(name) } } },
          auth: { header: 'Authorization', value: 'Bearer {secret}' },
        }),
    limits,
    throttle: { profile: 'generic' },
    ...(giveUpAfter === undefined ? {} : { giveUpAfter }),
    ...(idempotent ? { idempotency: { header: 'Idempotency-Key' } } : {}),
    tools: { company: tool('/v1/company'), email: tool('/v1/email'), ...(own.job ? { research: jobTool(own) } : {}) },
  };
}

const versionOf = ({ version }: LabProvider) => (version === undefined ? {} : { version });

/** A tool whose calls are the simulator's jobs. */
function jobTool(own: LabProvider): object {
  const { price = 0.01, effect = 'read', share = 'run', timeout = '10s', job = {} } = own;
  const { every = '1s', deadline = '5m', result, cancel, byLocation, charged = 'start' } = job;
  const path = byLocation ? {} : { path: '/v1/jobs/{{ job.id }}' };
  return {
    kind: 'job',
    ...versionOf(own),
    effect,
    price,
    share,
    timeout,
    request: { method: 'POST', path: '/v1/jobs', body: { domain: '{{ input.domain }}' } },
    job: {
      poll: {
        request: path,
        every,
        succeededWhen: "{{ body.status = 'succeeded' }}",
        failedWhen: "{{ body.status in ['failed', 'cancelled'] }}",
      },
      ...(result ? { result: { path: '/v1/jobs/{{ job.id }}/result' } } : {}),
      ...(cancel ? { cancel: path } : {}),
      deadline,
      charged,
    },
    response: { value: '{{ body.data }}', requestId: "{{ $lookup(headers, 'x-request-id') }}" },
  };
}

/** `count` rows `{ domain }`: r0.example, r1.example, … */
export const domainRows = (count: number): { domain: string }[] =>
  Array.from({ length: count }, (_, index) => ({ domain: `r${index}.example` }));

let mapNumber = 0;

export async function openMapLab(options: LabOptions): Promise<MapLab> {
  const { sim: simOptions, providers, environment = {} } = options;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-lab-'));
  const { address, namespace, client, close: closeNamespace } = await openTestNamespace(options.address);
  const sim = await startProviderSim(simOptions);
  await mkdir(join(folder, 'providers'));
  const secrets: { [name: string]: string } = {};
  for (const [name, own] of Object.entries(providers)) {
    await writeFile(join(folder, 'providers', `${name}.provider.yaml`), stringify(providerFile(name, own, sim.url)));
    if (own.secret !== undefined) secrets[SECRET_VARIABLE(name)] = own.secret;
  }
  const settings = { SLUICE_PROVIDERS: join(folder, 'providers'), SLUICE_DATA_ROOT: folder, ...environment };
  const inProcess: RunningWorker[] = [];
  const processes: WorkerProcess[] = [];

  async function start(spec: MapSpecInput, wantedId?: string): Promise<StartedMap> {
    mapNumber += 1;
    const mapId = wantedId ?? `map-${mapNumber}`;
    const whole = 'redrive' in spec ? spec : { name: mapId, output: { jsonl: `out/${mapId}.jsonl` }, ...spec };
    const handle = await client.workflow.start(WORKFLOW.datasetMap, {
      workflowId: mapId,
      taskQueue: MAIN_TASK_QUEUE,
      args: [whole],
    });
    const lines = async (file: string) =>
      (await readFile(join(folder, 'out', file), 'utf8'))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    return {
      mapId,
      handle,
      result: () => handle.result() as Promise<MapResult>,
      progress: () => handle.query<MapProgress, []>(QUERY.progress),
      signal: (name, ...payload) => handle.signal(CONTROL_SIGNAL[name], ...payload),
      table: () => lines(`${mapId}.jsonl`),
      failures: () => lines(`${mapId}.failures.jsonl`),
      summary: async () => JSON.parse(await readFile(join(folder, 'out', `${mapId}.summary.json`), 'utf8')),
    };
  }

  return {
    folder,
    namespace,
    address,
    client,
    sim,
    settings,
    start,
    async worker() {
      Object.assign(process.env, secrets);
      const connection = { connectionOptions: { address }, namespace };
      const { workflowsPath, codeTools } = options;
      const parts = {
        ...(workflowsPath === undefined ? {} : { workflowsPath }),
        ...(codeTools ? { codeTools: codeTools(sim.url) } : {}),
      };
      const worker = await startWorker(readConfig(settings, folder), connection, parts);
      worker.finished.catch(() => undefined);
      inProcess.push(worker);
      return worker;
    },
    async workerProcess(extra = {}) {
      const own = { ...settings, ...secrets, ...extra, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
      const { workerProgram } = options;
      const program = workerProgram === undefined ? undefined : ['--require', 'tsx/cjs', workerProgram];
      const worker = await startWorkerProcess({ ...process.env, ...own }, program);
      processes.push(worker);
      return worker;
    },
    async close() {
      for (const worker of inProcess) worker.stop();
      await Promise.all([...inProcess.map(({ finished }) => finished), ...processes.map((worker) => worker.kill())]);
      await sim.close();
      await closeNamespace();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
