// A worker that dies around a job: before and after its start, while it is polled, with its result. It is found again and never started twice.
import { providerTaskQueue, sharedCallId } from '../../contracts/ids';
import { CALL_SIGNAL, MAIN_TASK_QUEUE, WORKFLOW } from '../../contracts/names';
import type { SharedCallInput } from '../../contracts/shared-call';
import { openCalls } from '../controls/look';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab, type StartedMap } from '../helpers/map-lab';

// The tests of this file wait for their lost workers at the same time, five at once.
jest.setTimeout(180_000);

const VERSION = '1';
type Provider = 'keyed' | 'keyless';
type Check = (lab: MapLab, map: StartedMap) => Promise<void>;

async function withJobLab(use: (lab: MapLab) => Promise<void>, durationMs = 6000): Promise<void> {
  const simulated = { price: 0.5, jobs: { durationMs } };
  const usual = { price: 0.5, limits: { concurrency: 1 }, job: { result: true } };
  const lab = await openMapLab({
    sim: { providers: { keyed: simulated, keyless: simulated } },
    providers: { keyed: { ...usual, version: VERSION }, keyless: { ...usual, idempotent: false } },
    environment: { SLUICE_HEARTBEAT_TIMEOUT: '3s', SLUICE_LEASE_TTL: '3s' },
  });
  try {
    await use(lab);
  } finally {
    await lab.close();
  }
}

const spec = (provider: Provider) => ({
  dataset: { rows: domainRows(1), key: 'domain' },
  columns: [{ name: 'report', tool: `${provider}.research`, input: { domain: '{{ row.domain }}' } }],
});

/** The worker ends by itself at the named point, and a second one brings the map to its end. */
const crashed = (provider: Provider, crashAt: string, check: Check): Promise<void> =>
  withJobLab(async (lab) => {
    const doomed = await lab.workerProcess({ SLUICE_CRASH_AT: crashAt });
    const map = await lab.start(spec(provider));
    await doomed.gone;
    await lab.workerProcess();
    await map.result();
    await check(lab, map);
  });

/** A job whose workflow hands on after two joins; nobody of the map waits for it. */
function startShortCall({ client }: MapLab, { mapId }: StartedMap) {
  const input: SharedCallInput = {
    mapId,
    tool: {
      tool: 'keyed.research',
      version: VERSION,
      provider: 'keyed',
      account: 'default',
      taskQueue: providerTaskQueue('keyed', 'default'),
      effect: 'read',
      price: 0.5,
      idempotent: true,
      timeoutMs: 10_000,
      job: { deadlineMs: 300_000, canCancel: false },
    },
    input: { domain: 'r0.example' },
    keys: { receiptKey: 'short', billingKey: 'short' },
    timing: { heartbeatTimeoutMs: 3000, parkedAfterMs: 30_000, cancelGraceMs: 30_000 },
    waiters: [{ workflowId: 'no-row', runId: '', call: 0 }],
    joinsPerRun: 2,
  };
  return client.workflow.start(WORKFLOW.sharedCall, {
    workflowId: sharedCallId('keyed.research', 'short'),
    taskQueue: MAIN_TASK_QUEUE,
    args: [input],
  });
}

const startsOf = ({ sim }: MapLab) => sim.ledger.filter(({ method }) => method === 'POST');
const jobsOf = ({ sim }: MapLab) =>
  new Set(sim.ledger.filter(({ verdict }) => verdict === 'job').map(({ path }) => path.split('/')[4]));

const boughtOnce: Check = async (lab, map) => {
  expect((await map.result()).counts.columns.report).toMatchObject({ executed: 1, unknown: 0, cost: 0.5 });
  expect(await map.table()).toMatchObject([{ _status: 'done', report: { domain: 'r0.example' } }]);
  expect(lab.sim.summary()).toMatchObject({ charges: 1 });
  expect(jobsOf(lab).size).toBe(1);
};

const isUnknown =
  (charges: number): Check =>
  async (lab, map) => {
    expect(await map.failures()).toMatchObject([{ status: 'unknown', code: 'WORKER_LOST' }]);
    expect(lab.sim.summary()).toMatchObject({ charges });
  };

test.concurrent('keyed, killed before the start leaves: it is started once, by the next worker', () =>
  crashed('keyed', 'call.before_send:1', boughtOnce));

test.concurrent('keyed, killed with the answer of the start: started again under its key, which gives the same job', () =>
  crashed('keyed', 'call.after_answer:1', async (lab, map) => {
    await boughtOnce(lab, map);
    expect(startsOf(lab).map(({ verdict }) => verdict)).toEqual(['answered', 'replayed']);
  }));

test.concurrent('keyless, killed between mark and start: unknown, never started', () =>
  crashed('keyless', 'call.before_send:1', isUnknown(0)));

test.concurrent('keyless, killed with the answer of the start: unknown, never started again', () =>
  crashed('keyless', 'call.after_answer:1', isUnknown(1)));

test.concurrent.each(['keyed', 'keyless'] as const)(
  '%s, killed with the answer of a poll: polled again, by the same id',
  (provider) =>
    crashed(provider, 'call.after_answer:2', async (lab, map) => {
      await boughtOnce(lab, map);
      expect(startsOf(lab)).toHaveLength(1);
    }),
);

const untilPolled = ({ sim }: MapLab, provider: Provider) =>
  sim.waitFor((entries) => entries.some((entry) => entry.provider === provider && entry.verdict === 'job'));

test.concurrent('a job whose workflow was terminated is found again by the next one who asks', () =>
  withJobLab(async (lab) => {
    await lab.workerProcess();
    const map = await lab.start(spec('keyless'));
    await untilPolled(lab, 'keyless');
    const { calls } = await eventually(
      async () => ({ calls: await openCalls(lab, map) }),
      (seen) => seen.calls[0]?.sharedCall !== undefined,
    );
    await lab.client.workflow.getHandle(calls[0]!.sharedCall!).terminate('by a test');
    await map.signal('cancel');
    await map.result();
    lab.sim.control.setJobs('keyless', { durationMs: 0 });
    const again = await lab.start({ redrive: { map: map.mapId } }, 'again');
    expect(await again.result()).toMatchObject({
      rows: { done: 1 },
      counts: { columns: { report: { executed: 1, cost: 0.5 } } },
    });
    expect(startsOf(lab)).toHaveLength(1);
  }, 3_600_000));

test.concurrent('a job that is handed on to the next run of its workflow goes on', () =>
  withJobLab(async (lab) => {
    await lab.workerProcess();
    const map = await lab.start(spec('keyless'));
    const call = await startShortCall(lab, map);
    await untilPolled(lab, 'keyed');
    // Joins of rows that are none: two of them end the run. While a poll is under way it takes thousands, so they go on coming.
    const first = lab.client.workflow.getHandle(call.workflowId, call.firstExecutionRunId);
    let number = 0;
    await eventually(
      async () => {
        number += 1;
        await call.signal(CALL_SIGNAL.attach, { workflowId: 'no-row', runId: '', call: number });
        return first.describe();
      },
      ({ status }) => status.name === 'CONTINUED_AS_NEW',
    );
    for (const provider of ['keyed', 'keyless']) lab.sim.control.setJobs(provider, { durationMs: 0 });
    expect(await call.result()).toMatchObject({ kind: 'completed', value: { domain: 'r0.example' } });
    expect(startsOf(lab).filter(({ provider }) => provider === 'keyed')).toHaveLength(1);
    await map.result();
  }, 3_600_000));
