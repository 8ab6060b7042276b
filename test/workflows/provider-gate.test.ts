// The shared gate on a real server: what it tells to workers and people, and that nothing is lost from run to run.
import type { GateStatus, LeaseRequest } from '../../contracts/gate';
import { gateWorkflowId } from '../../contracts/ids';
import { GATE_SIGNAL, MAIN_TASK_QUEUE, QUERY, WORKFLOW } from '../../contracts/names';
import { connectSharedGate, type SharedGate } from '../../worker/gates/gate-client';
import { eventually } from '../helpers/eventually';
import { type MapLab, openMapLab } from '../helpers/map-lab';

const LIMITS = { rate: [{ limit: 10, perMs: 1000 }], concurrency: 4 };

let lab: MapLab;
beforeAll(async () => {
  lab = await openMapLab({ sim: { providers: { acme: {} } }, providers: { acme: {} } });
  await lab.worker();
});
afterAll(() => lab.close());

const gateOf = (account: string): SharedGate => connectSharedGate(lab.client, 'acme', account);
const handleOf = (account: string) => lab.client.workflow.getHandle(gateWorkflowId('acme', account));
const statusOf = (account: string): Promise<GateStatus> => handleOf(account).query<GateStatus, []>(QUERY.status);

const ask = (worker: string, request: number, more: Partial<LeaseRequest> = {}): LeaseRequest => ({
  worker,
  request,
  applied: 0,
  limits: LIMITS,
  ttlMs: 60_000,
  waitMs: 0,
  inFlight: 0,
  counts: { sent: 0, succeeded: 0, throttled: 0 },
  ...more,
});

test('the first request starts the gate, and a request that is kept back is answered as soon as there is news', async () => {
  const gate = gateOf('news');
  const first = await gate.lease(ask('a', 1));
  expect(first).toMatchObject({ share: LIMITS, allowance: null, paused: false, closing: null, noProgressMs: null });
  const kept = gate.lease(ask('a', 2, { applied: first.number, waitMs: 30_000 }));
  await gate.throttled({ remainingMs: 50_000, reason: 'quota', status: 429 });
  expect(await kept).toMatchObject({
    throttlesInARow: 1,
    closing: { reason: 'quota', status: 429, remainingMs: expect.any(Number) },
  });
});

test('a worker that joins gets its part when the other has applied its own, and what one returns the other has', async () => {
  const gate = gateOf('parts');
  const concurrencyOf = async (request: LeaseRequest) => (await gate.lease(request)).share.concurrency;
  const whole = await gate.lease(ask('a', 1));
  expect(whole.share.concurrency).toBe(4);
  expect(await concurrencyOf(ask('b', 1))).toBe(0);
  const half = await gate.lease(ask('a', 2, { applied: whole.number }));
  expect(half.share.concurrency).toBe(2);
  await gate.lease(ask('a', 3, { applied: half.number }));
  expect(await concurrencyOf(ask('b', 2))).toBe(2);
  await gate.returned({ worker: 'a', request: 3, counts: { sent: 7, succeeded: 6, throttled: 1 } });
  expect(await concurrencyOf(ask('b', 3))).toBe(4);
  expect((await statusOf('parts')).counts).toEqual({ sent: 7, succeeded: 6, throttled: 1 });
});

test('people pause, resume and adjust it; what is out of bounds changes nothing', async () => {
  const gate = gateOf('people');
  await gate.lease(ask('a', 1));
  const handle = handleOf('people');
  await handle.signal(GATE_SIGNAL.pause);
  expect((await gate.lease(ask('a', 2))).paused).toBe(true);
  await handle.signal(GATE_SIGNAL.resume);
  await handle.signal(GATE_SIGNAL.adjust, { concurrency: 2, rate: [{ limit: 3, perMs: 1000 }] });
  await handle.signal(GATE_SIGNAL.adjust, { concurrency: -1 });
  await handle.signal(GATE_SIGNAL.throttled, { remainingMs: 'soon', reason: 'throttled' });
  const lease = await gate.lease(ask('a', 3));
  expect(lease).toMatchObject({ paused: false, closing: null, share: { concurrency: 2, rate: [{ limit: 3 }] } });
  await handle.signal(GATE_SIGNAL.adjust, { concurrency: null, rate: null });
  expect(await statusOf('people')).toMatchObject({ declared: LIMITS, inForce: LIMITS });
});

test('a request that makes no sense is refused with the reason', async () => {
  const refused = gateOf('people').lease(ask('a', 9, { ttlMs: 1 }));
  await expect(refused).rejects.toMatchObject({ cause: { message: expect.stringMatching(/^lease: ttlMs: got 1/) } });
});

test('leases, closing, pause and limits live on when the gate continues as new', async () => {
  const gate = gateOf('runs');
  const handle = await lab.client.workflow.start(WORKFLOW.providerGate, {
    workflowId: gateWorkflowId('acme', 'runs'),
    taskQueue: MAIN_TASK_QUEUE,
    args: [{ leasesOfRun: 3 }],
  });
  const limits = { rate: [...LIMITS.rate, { limit: 100, perMs: 60_000 }], concurrency: 4 };
  const sent = (units: number) => ({ counts: { sent: units, succeeded: units, throttled: 0 }, limits });
  await handle.signal(GATE_SIGNAL.adjust, { concurrency: 3 });
  await gate.lease(ask('a', 1, { limits }));
  await gate.lease(ask('a', 2, sent(10)));
  await gate.throttled({ remainingMs: 3_600_000, reason: 'quota' });
  await gate.lease(ask('a', 3, sent(20)));
  await eventually(
    async () => (await handleOf('runs').describe()).runId,
    (runId) => runId !== handle.firstExecutionRunId,
  );
  const late = await gate.lease(ask('b', 1, { limits }));
  expect(late.share).toEqual({ rate: [{ limit: 0, perMs: 1000 }], concurrency: 0 });
  expect(late.closing?.remainingMs).toBeGreaterThan(3_500_000);
  expect(late).toMatchObject({ closing: { reason: 'quota' }, throttlesInARow: 1 });
  const status = await statusOf('runs');
  expect(status).toMatchObject({ counts: { sent: 20 }, adjusted: { concurrency: 3 }, declared: limits });
  expect(status.workers.map(({ worker }) => worker)).toEqual(['a', 'b']);
});

test('no answer is lost while the gate continues as new again and again', async () => {
  const gate = gateOf('often');
  await lab.client.workflow.start(WORKFLOW.providerGate, {
    workflowId: gateWorkflowId('acme', 'often'),
    taskQueue: MAIN_TASK_QUEUE,
    args: [{ leasesOfRun: 2 }],
  });
  const numbers: number[] = [];
  for (let request = 1; request <= 12; request += 1) numbers.push((await gate.lease(ask('a', request))).number);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  expect(new Set(numbers).size).toBe(12);
});
