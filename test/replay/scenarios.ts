// The runs whose histories are kept: each brings a map through one kind of life, small enough to read. A list: one scenario after the other.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { exportWorkflowId, gateWorkflowId, pageWorkflowId } from '../../contracts/ids';
import { PAGE_ROWS } from '../../contracts/limits';
import { GATE_SIGNAL, MAIN_TASK_QUEUE, WORKFLOW } from '../../contracts/names';
import { sluice } from '../client/fixtures/captured-shell';
import { openCalls, openRows } from '../controls/look';
import { eventually } from '../helpers/eventually';
import {
  domainRows,
  type LabOptions,
  type LabProvider,
  type MapLab,
  type MapSpecInput,
  type StartedMap,
} from '../helpers/map-lab';
import { holdShortCall, SHORT_CALL_VERSION } from './short-call';

export interface Scenario {
  /** Id of the map. */
  name: string;
  lab: LabOptions;
  spec: MapSpecInput;
  /** What has to be there before the map is started, its worker too. */
  before?(lab: MapLab): Promise<void>;
  /** What happens to the map while it runs, beginning with its worker; default: a worker, and nothing else. */
  during?(lab: MapLab, map: StartedMap): Promise<void>;
  /** Which histories are kept: what differs from those of other scenarios. `rows`, `gateRuns`, …: the first so many. */
  keep: {
    map?: true;
    section?: true;
    page?: true;
    export?: true;
    rows?: number;
    gateRuns?: number;
    /** The gate is that of the account's limits in this unit. */
    gateUnit?: string;
    callRuns?: number;
    settlements?: number;
  };
}

const PRICED = { price: 0.01, missRate: 0 };
const TWO_PROVIDERS = { acme: {}, beacon: {} };
const domain = '{{ row.domain }}';
const column = (name: string, tool: string) => ({ name, tool, input: { domain } });
/** The simulator refuses a domain that is empty. */
const refusedFor = (unlucky: string) => ({ domain: `{{ row.domain = '${unlucky}' ? '' : row.domain }}` });
const rows = (count: number) => ({ rows: domainRows(count), key: 'domain' });
/** Longer than a call may wait inside its activity, so that it becomes a durable timer. */
const closed = (durationMs: number) => ({ ...PRICED, closings: [{ atRequest: 1, durationMs }] });

async function untilCall(lab: MapLab, map: StartedMap, state: 'hold' | 'paused'): Promise<void> {
  await eventually(
    () => openCalls(lab, map),
    (calls) => calls.some((call) => call.state === state),
  );
}

/** A worker that dies with the first answer in its hands, then one that goes on. */
async function loseWorker(lab: MapLab): Promise<void> {
  const doomed = await lab.workerProcess({ SLUICE_CRASH_AT: 'call.after_answer:1' });
  await doomed.gone;
  await lab.worker();
}

/** A gate that continues as new after a few leases; `unit`: that of the limits in this unit. */
const startShortGate = (lab: MapLab, unit?: string) =>
  lab.client.workflow.start(WORKFLOW.providerGate, {
    workflowId: gateWorkflowId('acme', 'default', unit),
    taskQueue: MAIN_TASK_QUEUE,
    args: [{ leasesOfRun: 4 }],
  });

/** Its calls use half of what they may. */
const writeTokenProvider = ({ folder, sim }: MapLab) =>
  writeFile(
    join(folder, 'providers', 'acme.provider.yaml'),
    stringify({
      provider: 'acme',
      baseUrl: `${sim.url}/acme`,
      limits: { rate: [{ limit: 1000, per: '1m', unit: 'tokens' }], concurrency: 2 },
      tools: {
        company: {
          effect: 'read',
          price: 0,
          units: { tokens: { most: '{{ 20 }}', used: '{{ 10 }}' } },
          request: { method: 'GET', path: '/v1/company', query: { domain: '{{ input.domain }}' } },
          response: { value: '{{ body.data }}' },
        },
      },
    }),
  );

const lossLab = (idempotent: boolean): LabOptions => ({
  sim: { providers: { acme: PRICED } },
  providers: { acme: { idempotent } },
  environment: { SLUICE_HEARTBEAT_TIMEOUT: '3s' },
});

const jobLab = (durationMs: number, job: LabProvider['job'], latencyMs = 0): LabOptions => ({
  sim: { providers: { acme: { ...PRICED, latencyMs, jobs: { durationMs } } } },
  providers: { acme: { ...(job ? { job } : {}) } },
});

const SHARED: LabOptions['providers'] = { acme: { share: 'all' } };
/** Rows that all ask the same. */
const sameQuestion = (count: number): MapSpecInput => ({
  dataset: rows(count),
  columns: [{ name: 'firm', tool: 'acme.company', input: { domain: 'r0.example' } }],
});
/** Pages of one row, sections of two pages. */
const SECTIONED: LabOptions = {
  sim: { providers: { acme: PRICED } },
  providers: { acme: {} },
  environment: { SLUICE_PAGE_ROWS: '1', SLUICE_SECTION_PAGES: '2' },
};

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'columns',
    lab: {
      sim: {
        providers: {
          acme: PRICED,
          beacon: { ...PRICED, faults: [{ kind: 'miss', inputs: ['r1.example'] }] },
        },
      },
      providers: TWO_PROVIDERS,
    },
    spec: {
      dataset: rows(3),
      columns: [
        {
          name: 'email',
          waterfall: [
            { tool: 'beacon.email', input: refusedFor('r2.example') },
            { tool: 'acme.email', input: { domain } },
          ],
        },
        { name: 'firm', runIf: "{{ row.domain != 'r0.example' }}", tool: 'acme.company', input: { domain } },
        { name: 'label', value: "{{ $uppercase(row.domain) & ' ' & cells.firm.employees }}" },
      ],
    },
    keep: { map: true, page: true, rows: 3 },
  },
  {
    name: 'expressions-apart',
    lab: { sim: { providers: { acme: PRICED } }, providers: { acme: {} } },
    spec: {
      dataset: rows(1),
      columns: [
        { name: 'number', value: '{{ $match(row.domain, /[0-9]+/).match }}' },
        { name: 'firm', runIf: '{{ $contains(row.domain, /^r/) }}', tool: 'acme.company', input: { domain } },
        { name: 'none', value: "{{ $error('r' & $sort([2, 1])[0]) }}" },
      ],
    },
    keep: { rows: 1 },
  },
  {
    name: 'held-and-parked',
    lab: {
      sim: { providers: { acme: closed(8000) } },
      providers: { acme: {} },
      environment: { SLUICE_PARKED_AFTER: '1s' },
    },
    spec: { dataset: rows(3), columns: [column('firm', 'acme.company')], concurrency: { rows: 1, parkedRows: 1 } },
    keep: { page: true, rows: 1 },
  },
  {
    name: 'capped',
    lab: { sim: { providers: { acme: PRICED } }, providers: { acme: {} } },
    spec: { dataset: rows(3), columns: [column('firm', 'acme.company')], limits: { maxCalls: 2 } },
    async during(lab, map) {
      await lab.worker();
      await eventually(
        () => map.progress(),
        ({ pausedBy }) => pausedBy === 'maxCalls',
      );
      await map.signal('setCaps', { maxCalls: null });
    },
    keep: { map: true },
  },
  {
    name: 'cancelled-in-a-hold',
    lab: { sim: { providers: { acme: closed(60_000) } }, providers: { acme: {} } },
    spec: { dataset: rows(3), columns: [column('firm', 'acme.company')], concurrency: { rows: 2 } },
    async during(lab, map) {
      await lab.worker();
      await untilCall(lab, map, 'hold');
      await map.signal('cancel');
    },
    keep: { map: true, page: true, rows: 1 },
  },
  {
    name: 'cancelled-natively',
    lab: {
      sim: { providers: { acme: { ...PRICED, faults: [{ kind: 'hang-after-charge', requests: [1] }] } } },
      providers: { acme: {} },
    },
    spec: { dataset: rows(2), columns: [column('firm', 'acme.company')], concurrency: { rows: 1 }, cancelGrace: '1s' },
    async during(lab, map) {
      await lab.worker();
      await lab.sim.waitFor((entries) => entries.length === 1);
      await map.handle.cancel();
    },
    keep: { map: true, page: true, rows: 1 },
  },
  {
    name: 'failed',
    lab: { sim: { providers: { acme: PRICED } }, providers: { acme: { limits: { concurrency: 1 } } } },
    spec: {
      dataset: rows(2),
      columns: [{ name: 'firm', tool: 'acme.company', input: refusedFor('r0.example') }],
      onRowError: 'fail',
    },
    keep: { map: true, page: true, rows: 1 },
  },
  {
    name: 'refused',
    lab: { sim: { providers: { acme: PRICED } }, providers: { acme: {} } },
    spec: { dataset: rows(1), columns: [column('firm', 'acme.nothing')] },
    keep: { map: true },
  },
  {
    name: 'paused',
    lab: {
      sim: { providers: { acme: { ...PRICED, latencyMs: 1000 } } },
      providers: { acme: { limits: { concurrency: 1 } } },
    },
    spec: { dataset: rows(3), columns: [column('firm', 'acme.company')], concurrency: { rows: 2 } },
    async during(lab, map) {
      await lab.worker();
      await lab.sim.waitFor((entries) => entries.length === 1);
      await map.signal('pause');
      await untilCall(lab, map, 'paused');
      await map.signal('setConcurrency', { rows: 1 });
      await map.signal('resume');
    },
    keep: { map: true, page: true, rows: 2 },
  },
  {
    name: 'job',
    lab: jobLab(2500, { result: true }),
    spec: { dataset: rows(1), columns: [column('report', 'acme.research')] },
    keep: { callRuns: 1 },
  },
  {
    name: 'job-paused-then-cancelled',
    lab: jobLab(3_600_000, { cancel: true }),
    spec: { dataset: rows(1), columns: [column('report', 'acme.research')] },
    async during(lab, map) {
      await lab.worker();
      await lab.sim.waitFor((entries) => entries.some(({ verdict }) => verdict === 'job'));
      await map.signal('pause');
      await untilCall(lab, map, 'hold');
      await map.signal('resume');
      await map.signal('cancel');
      await lab.sim.waitFor((entries) => entries.some(({ method }) => method === 'DELETE'));
    },
    keep: { rows: 1, callRuns: 1 },
  },
  {
    name: 'job-start-outlasts-cancel',
    lab: jobLab(3_600_000, { cancel: true }, 4000),
    spec: { dataset: rows(1), columns: [column('report', 'acme.research')], cancelGrace: '500ms' },
    async during(lab, map) {
      await lab.worker();
      await lab.sim.waitFor((entries) => entries.length === 1);
      await map.signal('cancel');
      await lab.sim.waitFor((entries) => entries.some(({ method }) => method === 'DELETE'));
    },
    keep: { rows: 1, callRuns: 1 },
  },
  {
    name: 'job-beyond-its-deadline',
    lab: jobLab(3_600_000, { deadline: '2s' }),
    spec: { dataset: rows(1), columns: [column('report', 'acme.research')] },
    keep: { callRuns: 1 },
  },
  {
    name: 'parallel-calls',
    lab: { sim: { providers: { acme: PRICED, beacon: PRICED } }, providers: TWO_PROVIDERS },
    spec: { dataset: rows(1), map: 'verified-email', tools: ['acme.company', 'beacon.email'] },
    keep: { rows: 1 },
  },
  {
    name: 'caught-failure',
    lab: {
      sim: {
        providers: {
          acme: PRICED,
          beacon: {
            ...PRICED,
            faults: [
              { kind: 'needs-credits', inputs: ['r0.example'] },
              { kind: 'miss', inputs: ['r1.example'] },
            ],
          },
        },
      },
      providers: TWO_PROVIDERS,
    },
    spec: { dataset: rows(2), map: 'cheapest-first', tools: ['acme.company', 'beacon.email'] },
    keep: { rows: 2 },
  },
  {
    name: 'worker-lost-keyed',
    lab: lossLab(true),
    spec: { dataset: rows(1), columns: [column('firm', 'acme.company')] },
    during: loseWorker,
    keep: { rows: 1 },
  },
  {
    name: 'worker-lost-keyless',
    lab: lossLab(false),
    spec: { dataset: rows(1), columns: [column('firm', 'acme.company')] },
    during: loseWorker,
    keep: { rows: 1 },
  },
  {
    name: 'row-terminated',
    lab: {
      sim: { providers: { acme: { ...PRICED, faults: [{ kind: 'hang-after-charge', requests: [1] }] } } },
      providers: { acme: {} },
    },
    spec: { dataset: rows(2), columns: [column('firm', 'acme.company')], concurrency: { rows: 1 } },
    async during(lab, map) {
      await lab.worker();
      await lab.sim.waitFor((entries) => entries.length === 1);
      const [row] = await openRows(lab, pageWorkflowId(map.mapId, 0));
      await lab.client.workflow.getHandle(row?.workflowId as string).terminate('by the recorder');
    },
    keep: { page: true },
  },
  {
    name: 'large-row',
    lab: { sim: { providers: { acme: PRICED } }, providers: { acme: {} } },
    spec: { dataset: rows(1), columns: [{ name: 'text', value: "{{ $pad(row.domain, 33000, 'four') }}" }] },
    keep: { rows: 1 },
  },
  {
    name: 'two-pages',
    lab: { sim: { providers: { acme: PRICED } }, providers: { acme: {} } },
    spec: {
      dataset: { rows: Array.from({ length: PAGE_ROWS + 5 }, (_, n) => ({ n })), key: 'n' },
      columns: [{ name: 'same', value: '{{ row.n }}' }],
      concurrency: { rows: 20 },
    },
    keep: { map: true },
  },
  {
    name: 'redriven',
    lab: { sim: { providers: { acme: PRICED, beacon: PRICED } }, providers: TWO_PROVIDERS },
    async before(lab) {
      await lab.worker();
      const columns = [
        column('firm', 'acme.company'),
        { name: 'email', tool: 'beacon.email', input: refusedFor('r0.example') },
      ];
      const earlier = await lab.start({ dataset: rows(2), columns }, 'earlier');
      await earlier.result();
    },
    spec: { redrive: { map: 'earlier' } },
    during: async (_lab, map) => {
      await map.result();
    },
    keep: { map: true, rows: 1 },
  },
  {
    name: 'exported',
    lab: { sim: { providers: { acme: PRICED } }, providers: { acme: {} } },
    spec: { dataset: rows(2), columns: [column('firm', 'acme.company')] },
    async during(lab, map) {
      await lab.worker();
      await map.result();
      await lab.client.workflow.execute(WORKFLOW.exportMap, {
        workflowId: exportWorkflowId(map.mapId),
        taskQueue: MAIN_TASK_QUEUE,
        args: [{ map: map.mapId, to: 'out/copy.csv' }],
      });
    },
    keep: { export: true },
  },
  {
    name: 'settled',
    lab: {
      sim: {
        providers: {
          acme: { ...PRICED, idempotency: false, faults: [{ kind: 'reset-after-charge', requests: [1, 2] }] },
        },
      },
      providers: { acme: { idempotent: false, limits: { concurrency: 1 } } },
    },
    async before(lab) {
      await lab.worker();
      await (await lab.start({ dataset: rows(2), columns: [column('firm', 'acme.company')] }, 'earlier')).result();
      const env = { TEMPORAL_ADDRESS: lab.address, TEMPORAL_NAMESPACE: lab.namespace };
      const settle = (...said: string[]) => sluice(['unknown', 'resolve', 'earlier', '--row', ...said], { env });
      await settle('r0.example', '--as', 'done', '--value', '{"employees":7}');
      await settle('r1.example', '--as', 'failed');
    },
    spec: { redrive: { map: 'earlier' } },
    during: async (_lab, map) => {
      await map.result();
    },
    keep: { rows: 2, settlements: 1 },
  },
  {
    name: 'sections',
    lab: SECTIONED,
    spec: { dataset: rows(5), columns: [{ name: 'same', value: '{{ row.domain }}' }], concurrency: { rows: 2 } },
    keep: { map: true, section: true },
  },
  {
    name: 'sections-cancelled',
    lab: {
      ...SECTIONED,
      sim: { providers: { acme: { ...PRICED, faults: [{ kind: 'hang-after-charge', rate: 1 }] } } },
    },
    spec: { dataset: rows(5), columns: [column('firm', 'acme.company')], concurrency: { rows: 1 }, cancelGrace: '1s' },
    async during(lab, map) {
      await lab.worker();
      await lab.sim.waitFor((entries) => entries.length === 1);
      await map.signal('pause');
      await map.signal('setConcurrency', { rows: 2 });
      await map.signal('resume');
      await lab.sim.waitFor((entries) => entries.length === 2);
      await map.signal('cancel');
    },
    keep: { map: true, section: true },
  },
  {
    name: 'shared-gate',
    lab: {
      sim: { providers: { acme: { ...PRICED, latencyMs: 100, closings: [{ atRequest: 3, durationMs: 6000 }] } } },
      providers: {
        acme: {
          limits: {
            rate: [
              { limit: 5, per: '1s' },
              { limit: 500, per: '1m' },
            ],
            concurrency: 2,
          },
        },
      },
      environment: { SLUICE_LEASE_TTL: '3s' },
    },
    spec: { dataset: rows(20), columns: [column('firm', 'acme.company')] },
    async during(lab, map) {
      const gate = await startShortGate(lab);
      await lab.worker();
      await lab.sim.waitFor((entries) => entries.length > 3);
      await gate.signal(GATE_SIGNAL.pause);
      await gate.signal(GATE_SIGNAL.adjust, { concurrency: 1 });
      await gate.signal(GATE_SIGNAL.resume);
      await map.result();
    },
    keep: { gateRuns: 2 },
  },
  {
    name: 'token-gate',
    lab: {
      sim: { providers: { acme: { ...PRICED, latencyMs: 1200 } } },
      providers: {},
      environment: { SLUICE_LEASE_TTL: '3s' },
    },
    spec: { dataset: rows(12), columns: [column('firm', 'acme.company')] },
    async before(lab) {
      await writeTokenProvider(lab);
      await startShortGate(lab, 'tokens');
      await lab.worker();
    },
    during: async (_, map) => void (await map.result()),
    keep: { gateRuns: 2, gateUnit: 'tokens' },
  },
  {
    name: 'shared-bought',
    lab: { sim: { providers: { acme: { ...PRICED, latencyMs: 500 } } }, providers: SHARED },
    spec: sameQuestion(2),
    keep: { rows: 2, callRuns: 1 },
  },
  {
    name: 'shared-held',
    lab: { sim: { providers: { acme: closed(8000) } }, providers: SHARED },
    spec: sameQuestion(2),
    keep: { callRuns: 1 },
  },
  {
    name: 'shared-left',
    lab: { sim: { providers: { acme: closed(60_000) } }, providers: SHARED },
    spec: sameQuestion(2),
    async during(lab, map) {
      await lab.worker();
      await lab.sim.waitFor((entries) => entries.length === 1);
      await eventually(
        () => openCalls(lab, map),
        (calls) => calls.length === 2,
      );
      await map.signal('cancel');
    },
    keep: { rows: 1, callRuns: 1 },
  },
  {
    name: 'shared-handed-on',
    lab: {
      sim: { providers: { acme: { ...PRICED, closings: [{ atRequest: 2, durationMs: 8000 }] } } },
      providers: { acme: { ...SHARED.acme, version: SHORT_CALL_VERSION } },
    },
    spec: { dataset: rows(1), columns: [column('mail', 'acme.email')] },
    async during(lab, map) {
      await lab.worker();
      await map.result();
      await holdShortCall(lab, map);
    },
    keep: { callRuns: 2 },
  },
];
