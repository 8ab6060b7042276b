// A worker that dies around a job: before and after its start, while it is polled, with its result. It is found again and never started twice.
import { HAND_ON_JOINS } from '../../contracts/limits';
import { CALL_SIGNAL } from '../../contracts/names';
import { domainRows, type MapLab, openMapLab, type StartedMap } from '../helpers/map-lab';

// The tests of this file wait for their lost workers at the same time, five at once.
jest.setTimeout(180_000);

type Provider = 'keyed' | 'keyless';
type Check = (lab: MapLab, map: StartedMap) => Promise<void>;

async function withJobLab(use: (lab: MapLab) => Promise<void>, durationMs = 6000): Promise<void> {
  const simulated = { price: 0.5, jobs: { durationMs } };
  const usual = { price: 0.5, limits: { concurrency: 1 }, job: { result: true } };
  const lab = await openMapLab({
    sim: { providers: { keyed: simulated, keyless: simulated } },
    providers: { keyed: usual, keyless: { ...usual, idempotent: false } },
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

/** The workflows of its jobs, each with the run that is there now. */
async function callsOf({ client }: MapLab): Promise<{ workflowId: string; runId: string }[]> {
  const calls: { workflowId: string; runId: string }[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query: 'WorkflowType = "sharedCall"' })) {
    calls.push({ workflowId, runId });
  }
  return calls;
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

test.concurrent('a job whose workflow was terminated is found again by the next one who asks', () =>
  withJobLab(async (lab) => {
    await lab.workerProcess();
    const map = await lab.start(spec('keyless'));
    await lab.sim.waitFor((entries) => entries.some(({ verdict }) => verdict === 'job'));
    for (const { workflowId } of await callsOf(lab))
      await lab.client.workflow.getHandle(workflowId).terminate('by a test');
    await map.signal('cancel');
    await map.result();
    const again = await lab.start({ redrive: { map: map.mapId } }, 'again');
    expect(await again.result()).toMatchObject({ rows: { done: 1 } });
    expect(startsOf(lab)).toHaveLength(1);
  }));

test.concurrent('a job that is handed on to the next run of its workflow goes on', () =>
  withJobLab(async (lab) => {
    await lab.workerProcess();
    const map = await lab.start(spec('keyed'));
    await lab.sim.waitFor((entries) => entries.some(({ verdict }) => verdict === 'job'));
    const [call] = await callsOf(lab);
    const { workflowId, runId } = call!;
    const handle = lab.client.workflow.getHandle(workflowId);
    // Joins of rows that are none: each is an event, and so many of them end the run.
    const waiter = { workflowId: 'no-row', runId: '', call: 0 };
    for (let n = 0; n < HAND_ON_JOINS; n += 50) {
      await Promise.all(Array.from({ length: 50 }, () => handle.signal(CALL_SIGNAL.attach, waiter)));
    }
    await boughtOnce(lab, map);
    const { events } = await lab.client.workflow.getHandle(workflowId, runId).fetchHistory();
    expect(events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
  }, 20_000));
