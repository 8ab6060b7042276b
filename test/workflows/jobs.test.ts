// Calls that are jobs: started once, asked for on durable timers, found again after their deadline, given up when nobody wants them.
import { WorkflowFailedError } from '@temporalio/client';
import { sluice } from '../client/fixtures/captured-shell';
import { openCalls } from '../controls/look';
import { eventually } from '../helpers/eventually';
import { type LabProvider, type MapLab, openMapLab } from '../helpers/map-lab';
import { jobLedger, reportSpec } from './fixtures/job-ledger';

jest.setTimeout(180_000);

/** `BRIEF` jobs end soon, `ENDLESS` ones when they are told to. */
const BRIEF = { price: 0.5, jobs: { durationMs: 1500 } };
const ENDLESS = { price: 0.5, jobs: { durationMs: 3_600_000 } };

const SIMULATED = {
  brief: BRIEF,
  fetched: BRIEF,
  located: { ...BRIEF, secret: 'sesame-open' },
  patient: { price: 0.5, jobs: { durationMs: 3_600_000, retryAfterSeconds: 3 } },
  failing: { price: 0.5, jobs: { durationMs: 500, failingInputs: ['r0.example'] } },
  shy: { ...BRIEF, faults: [{ kind: 'error-before-charge' as const, requests: [2, 3] }] },
  late: ENDLESS,
  busy: { ...BRIEF, faults: [{ kind: 'in-progress-after-charge' as const, requests: [1] }] },
  keyless: { ...BRIEF, faults: [{ kind: 'reset-after-charge' as const, requests: [1] }] },
  stopped: ENDLESS,
  shared: ENDLESS,
  paused: ENDLESS,
  closing: BRIEF,
  slow: { ...ENDLESS, latencyMs: 4000 },
  slower: { ...ENDLESS, latencyMs: 4000 },
};

const PROVIDERS: { [provider in keyof typeof SIMULATED]: LabProvider } = {
  brief: { job: {} },
  fetched: { job: { result: true } },
  located: { job: { byLocation: true }, secret: 'sesame-open' },
  patient: { job: {} },
  failing: { job: {} },
  shy: { job: {} },
  late: { job: { deadline: '3s' } },
  busy: { job: {} },
  keyless: { job: {}, idempotent: false },
  stopped: { job: { cancel: true } },
  shared: { job: {}, share: 'all' },
  paused: { job: { cancel: true } },
  closing: { job: {} },
  slow: { job: { cancel: true } },
  slower: { job: {} },
};

let lab: MapLab;
beforeAll(async () => {
  lab = await openMapLab({
    sim: { providers: SIMULATED },
    providers: Object.fromEntries(Object.entries(PROVIDERS).map(([name, own]) => [name, { price: 0.5, ...own }])),
    environment: { SLUICE_LEASE_TTL: '3s' },
  });
  await lab.worker();
});
afterAll(() => lab.close());

const { requestsOf, startsOf, polled, givenUp, endJobs } = jobLedger(() => lab.sim);
const chargesOf = (provider: string) => requestsOf(provider).filter(({ charged }) => charged).length;

const callsOf = async (provider: string): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { workflowId } of lab.client.workflow.list({ query: 'WorkflowType = "sharedCall"' })) {
    if (workflowId.startsWith(`call/${provider}.`)) ids.push(workflowId);
  }
  return ids;
};

test('a job is started once, polled on timers that say so in the UI, and its answer is the cell', async () => {
  const map = await lab.start(reportSpec('brief', 3));
  expect(await map.result()).toMatchObject({
    rows: { done: 3 },
    counts: { columns: { report: { executed: 3, reused: 0, cost: 1.5, held: 0 } } },
  });
  expect((await map.table())[0]?.report).toMatchObject({ domain: 'r0.example' });
  expect(startsOf('brief')).toHaveLength(3);
  expect(chargesOf('brief')).toBe(3);
  const [callId = ''] = await eventually(
    () => callsOf('brief'),
    (ids) => ids.length > 0,
  );
  const { events = [] } = await lab.client.workflow.getHandle(callId).fetchHistory();
  const summaries = (events ?? []).flatMap(({ timerStartedEventAttributes, userMetadata }) =>
    timerStartedEventAttributes && userMetadata?.summary?.data
      ? [Buffer.from(userMetadata.summary.data).toString()]
      : [],
  );
  expect(summaries[0]).toMatch(/job job-\d running since .+, 0 polls, next poll /);
});

test('a result that lies elsewhere is fetched, and a job without id is asked for at the address of its start', async () => {
  expect(await (await lab.start(reportSpec('fetched'))).result()).toMatchObject({ rows: { done: 1 } });
  expect(requestsOf('fetched').at(-1)?.path).toMatch(/\/result$/);
  expect(await (await lab.start(reportSpec('located'))).result()).toMatchObject({ rows: { done: 1 } });
});

test('a Retry-After of the start and of a poll is obeyed, and closes nothing for others', async () => {
  const map = await lab.start(reportSpec('patient', 2));
  await lab.sim.waitFor((entries) => entries.filter(({ path }) => path === '/patient/v1/jobs/job-1').length === 2);
  endJobs('patient');
  expect(await map.result()).toMatchObject({ rows: { done: 2 } });
  const [first, ...later] = requestsOf('patient').filter(({ path }) => path.endsWith('/job-1'));
  const start = startsOf('patient')[0];
  for (const [before, after] of [
    [start, first],
    [first, later[0]],
  ]) {
    expect(after!.arrivedAtMs - before!.arrivedAtMs).toBeGreaterThanOrEqual(3000);
  }
  expect(startsOf('patient')).toHaveLength(2);
});

test('polls that fail are asked again: no attempt is used, and no other job started', async () => {
  expect(await (await lab.start(reportSpec('shy'))).result()).toMatchObject({ rows: { done: 1 } });
  expect(requestsOf('shy').map(({ verdict }) => verdict)).toEqual(['answered', 'fault', 'fault', 'job']);
});

test('a failed job is charged, and a redrive starts another one', async () => {
  const map = await lab.start(reportSpec('failing', 2));
  expect(await map.result()).toMatchObject({
    rows: { done: 1, failed: 1 },
    counts: { columns: { report: { executed: 2, failed: 1, cost: 1 } } },
  });
  expect((await map.progress()).budget?.spent).toEqual({ calls: 2, cost: 1 });
  expect(await map.failures()).toMatchObject([
    { code: 'ASYNC_OPERATION_FAILED', job: { id: expect.stringMatching(/^job-/), polls: 1 } },
  ]);
  await (await lab.start({ redrive: { map: map.mapId } }, 'failing-again')).result();
  expect(new Set(startsOf('failing').map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
});

test('a job beyond its deadline ends its row, and a redrive finds the same job again', async () => {
  const map = await lab.start(reportSpec('late'));
  expect(await map.result()).toMatchObject({
    rows: { failed: 1 },
    counts: { columns: { report: { executed: 1, failed: 1, cost: 0.5 } } },
  });
  expect(await map.failures()).toMatchObject([
    { code: 'ASYNC_OPERATION_TIMEOUT', repairable: true, job: { id: 'job-1' } },
  ]);
  const told = sluice([
    'explain',
    map.mapId,
    '--row',
    'r0.example',
    '--address',
    lab.address,
    '--namespace',
    lab.namespace,
  ]);
  expect((await told).stdout).toMatch(/job {6}job-1, started \S+, \d+ polls, the last one /);
  endJobs('late');
  const again = await (await lab.start({ redrive: { map: map.mapId } }, 'late-again')).result();
  expect(again).toMatchObject({
    rows: { done: 1 },
    counts: { columns: { report: { executed: 0, reused: 1, cost: 0 } } },
  });
  expect(startsOf('late')).toHaveLength(1);
});

test('a 409 that says EXECUTION_IN_PROGRESS is waited for, and the start asked again under its key', async () => {
  expect(await (await lab.start(reportSpec('busy'))).result()).toMatchObject({
    rows: { done: 1 },
    counts: { columns: { report: { executed: 1, held: 0 } } },
  });
  expect(startsOf('busy').map(({ status }) => status)).toEqual([409, 202]);
  expect(new Set(startsOf('busy').map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  expect(chargesOf('busy')).toBe(1);
});

test('a start without a key whose answer is lost is unknown, and never sent again', async () => {
  expect(await (await lab.start(reportSpec('keyless'))).result()).toMatchObject({ rows: { unknown: 1 } });
  expect(startsOf('keyless')).toHaveLength(1);
});

test('cancelling the map gives the job up at its provider; its start is counted, and a redrive starts another one', async () => {
  const map = await lab.start(reportSpec('stopped'));
  await polled('stopped');
  await map.signal('cancel');
  expect(await map.result()).toMatchObject({
    rows: { cancelled: 1 },
    counts: { columns: { report: { executed: 1, cost: 0.5 } } },
  });
  expect(await map.failures()).toMatchObject([{ code: 'CANCELLED_AFTER_SEND', job: { id: 'job-1' } }]);
  await givenUp('stopped');
  const again = await lab.start({ redrive: { map: map.mapId } }, 'stopped-again');
  await lab.sim.waitFor((entries) =>
    entries.some(
      ({ path, verdict }) => path.startsWith('/stopped/v1/jobs/') && !path.endsWith('job-1') && verdict === 'job',
    ),
  );
  expect(startsOf('stopped')).toHaveLength(2);
  expect(new Set(startsOf('stopped').map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  await again.signal('cancel');
  await again.result();
});

test('a start that lasts longer than the grace of a cancel: the row names the call that goes on with it, and the job is given up', async () => {
  const map = await lab.start({ ...reportSpec('slow'), cancelGrace: '500ms' });
  await lab.sim.waitFor((entries) => entries.some(({ provider }) => provider === 'slow'));
  await map.signal('cancel');
  expect(await map.result()).toMatchObject({ rows: { cancelled: 1 } });
  expect(await map.failures()).toMatchObject([
    { code: 'CANCELLED_AFTER_SEND', sharedCall: expect.stringMatching(/^call\/slow\.research\//), repairable: true },
  ]);
  await givenUp('slow');
});

test('a start that no row could wait for is counted by the redrive that finds its job', async () => {
  const map = await lab.start({ ...reportSpec('slower'), cancelGrace: '500ms' });
  await lab.sim.waitFor((entries) => entries.some(({ provider }) => provider === 'slower'));
  await map.signal('cancel');
  expect(await map.result()).toMatchObject({
    rows: { cancelled: 1 },
    counts: { columns: { report: { executed: 0 } } },
  });
  const [{ sharedCall }] = (await map.failures()) as [{ sharedCall: string }];
  await expect(lab.client.workflow.getHandle(sharedCall).result()).rejects.toThrow(WorkflowFailedError);
  endJobs('slower');
  const again = await (await lab.start({ redrive: { map: map.mapId } }, 'slower-again')).result();
  expect(again).toMatchObject({ rows: { done: 1 }, counts: { columns: { report: { executed: 1, cost: 0.5 } } } });
  expect(startsOf('slower')).toHaveLength(1);
});

test('a later map joins the job that runs, and one after it has its answer', async () => {
  const first = await lab.start(reportSpec('shared'));
  await polled('shared');
  const second = await lab.start({ ...reportSpec('shared'), name: 'second' });
  await eventually(
    () => openCalls(lab, second),
    (calls) => calls.some(({ sharedCall }) => sharedCall !== undefined),
  );
  endJobs('shared');
  const counts = (await Promise.all([first.result(), second.result()])).map((result) => result.counts.columns.report!);
  expect(counts.map(({ executed, attached }) => executed + attached)).toEqual([1, 1]);
  expect(counts.map(({ executed }) => executed).sort()).toEqual([0, 1]);
  const third = await (await lab.start({ ...reportSpec('shared'), name: 'third' })).result();
  expect(third.counts.columns.report).toMatchObject({ executed: 0, reused: 1, cost: 0 });
  expect(startsOf('shared')).toHaveLength(1);
});

test('a pause gives no job up: its answer is there after the resume', async () => {
  const map = await lab.start(reportSpec('paused'));
  await polled('paused');
  await map.signal('pause');
  await eventually(
    () => openCalls(lab, map),
    (calls) => calls.some(({ reason, state }) => reason === 'job_running' && state === 'hold'),
  );
  endJobs('paused');
  await map.signal('resume');
  expect(await map.result()).toMatchObject({ rows: { done: 1 }, counts: { columns: { report: { executed: 1 } } } });
  expect(requestsOf('paused').filter(({ method }) => method === 'DELETE')).toHaveLength(0);
});

test('a 429 on a poll holds, and the job goes on', async () => {
  const map = await lab.start(reportSpec('closing'));
  await lab.sim.waitFor((entries) => entries.some(({ provider, charged }) => provider === 'closing' && charged));
  // Says a second, and means it until it is told otherwise.
  lab.sim.control.close('closing', { durationMs: 3_600_000, hintMs: 1000 });
  await lab.sim.waitFor((entries) =>
    entries.some(({ provider, verdict }) => provider === 'closing' && verdict === 'closed'),
  );
  lab.sim.control.open('closing');
  expect(await map.result()).toMatchObject({ rows: { done: 1 } });
  expect(chargesOf('closing')).toBe(1);
});
