// The lease of one worker's gate, against the rules of the shared gate on the same clock: what is sent, when, and what is told. Long, since all share one lab of gates and leases.
import type { Gate, Permit } from '../../../activities/gate-port';
import { IDLE_AFTER_MS, LEASE_RETRY_MS } from '../../../contracts/limits';
import { ProviderGate } from '../../../worker/gates/gate';
import type { GateSettings } from '../../../worker/gates/gate-types';
import { LeaseKeeper } from '../../../worker/gates/lease-keeper';
import { afterThrottle } from '../../../workflows/gate-closing';
import { statusOf } from '../../../workflows/gate-status';
import { mostIn } from '../../workflows/gate-simulation';
import { ManualClock, settle } from './manual-clock';
import { MemoryGate } from './memory-gate';

const TTL_MS = 3000;
const SETTINGS: GateSettings = {
  provider: 'acme',
  account: 'default',
  rate: [{ limit: 10, perMs: 1000 }],
  concurrency: null,
  giveUpAfterMs: 3_600_000,
};
const HOUR_MS = 3_600_000;

interface Lab {
  clock: ManualClock;
  shared: MemoryGate;
  gate: ProviderGate;
  keeper: LeaseKeeper;
  warnings: string[];
}

let workers = 0;

function open(settings: Partial<GateSettings> = {}, shared?: MemoryGate, clock = new ManualClock()): Lab {
  const memory = shared ?? new MemoryGate(clock);
  const gate = new ProviderGate({ ...SETTINGS, ...settings }, clock, () => 0);
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const keeper = new LeaseKeeper(gate, memory, { worker: `w${++workers}`, ttlMs: TTL_MS, warn }, clock);
  return { clock, shared: memory, gate, keeper, warnings };
}

/** Sends one call as soon as the gate lets it, within 5 s. */
async function sendOne(gate: Gate): Promise<Permit | string> {
  const answer = await gate.acquire({ maxWaitMs: 5000, signal: new AbortController().signal });
  if (answer.kind !== 'permit') return answer.kind === 'wait' ? answer.reason : answer.kind;
  const refusal = answer.permit.startSending();
  if (refusal) {
    answer.permit.release();
    return refusal.kind;
  }
  answer.permit.leaving();
  return answer.permit;
}

/** Sends one call after the other for ever; answers come at once. */
function keepSending(gate: Gate, sentMs: number[], clock: ManualClock): void {
  void (async () => {
    for (;;) {
      const permit = await sendOne(gate);
      if (typeof permit === 'string') await clock.sleep(100);
      if (typeof permit === 'string') continue;
      sentMs.push(clock.monotonicMs());
      permit.succeeded();
      permit.release();
    }
  })();
}

test('the first call waits for the lease, one way there and back, and no longer', async () => {
  const { clock, gate, shared } = open();
  const first = sendOne(gate);
  await clock.advance(19);
  expect(gate.snapshot().sent).toBe(0);
  await clock.advance(1);
  expect(await first).toBeInstanceOf(Object);
  expect(shared.requests.map(({ applied, waitMs }) => [applied, waitMs])).toEqual([
    [0, 0],
    [1, TTL_MS / 3],
  ]);
});

test('a gate that nobody uses asks for nothing, but keeps a few slots open', async () => {
  const { clock, gate, shared } = open();
  await clock.advance(60_000);
  expect(shared.requests).toEqual([]);
  expect(gate.slots()).toBe(5);
});

test('a gate in use renews its lease three times in its time, and gives it back when it has been idle', async () => {
  const { clock, gate, shared } = open();
  void sendOne(gate).then((permit) => typeof permit !== 'string' && permit.release());
  await clock.advance(3100);
  expect(shared.requests.map(({ applied }) => applied)).toEqual([0, 1, 2, 3, 4]);
  await clock.advance(12_000);
  expect(shared.state.holders.every(({ grants }) => grants.every(({ isReported }) => isReported))).toBe(true);
  const { length } = shared.requests;
  await clock.advance(60_000);
  expect(shared.requests).toHaveLength(length);
});

test('a worker that is cut off sends nothing after the end of its lease, counted from when the request left, and goes on when it leases again', async () => {
  const { clock, gate, shared, warnings } = open();
  const sentMs: number[] = [];
  keepSending(gate, sentMs, clock);
  await clock.advance(2000);
  const startedMs = sentMs[0] as number;
  const lastGoodMs = clock.monotonicMs();
  shared.isCutOff = true;
  await clock.advance(20_000);
  expect(Math.max(...sentMs)).toBeLessThan(lastGoodMs + TTL_MS);
  expect(Math.max(...sentMs)).toBeGreaterThan(startedMs + TTL_MS / 2);
  expect(warnings).toEqual([expect.stringMatching(/^gate acme\/default: no lease/)]);
  const countBefore = sentMs.length;
  shared.isCutOff = false;
  await clock.advance(LEASE_RETRY_MS + 100);
  expect(sentMs.length).toBeGreaterThan(countBefore);
});

test('an answer that takes longer than the lease lasts gives nothing', async () => {
  const { clock, gate, shared } = open();
  shared.delayMs = TTL_MS;
  const first = sendOne(gate);
  await clock.advance(6000);
  expect(await first).toBe('pacing');
  expect(gate.snapshot().sent).toBe(0);
});

test('a closing is told at once, and a worker that starts meanwhile sends nothing until it is over, whatever its clock says', async () => {
  const first = open();
  const permit = (await Promise.all([sendOne(first.gate), first.clock.advance(100)]))[0] as Permit;
  const why = { reason: 'throttled', status: 429, said: 'Retry-After: 30' } as const;
  permit.throttled({ retryAtMs: first.clock.wallMs() + 30_000, ...why });
  await first.clock.advance(10);
  expect(first.shared.state.closing).toMatchObject({ number: 1, ...why, throttlesInARow: 1 });
  const clock = first.clock;
  const second = open({}, first.shared, clock);
  clock.stepWall(-7 * HOUR_MS);
  const refused = sendOne(second.gate);
  await clock.advance(100);
  expect(await refused).toBe('gate_closed');
  expect(second.gate.consecutiveThrottles()).toBe(1);
  await clock.advance(29_000);
  expect(second.gate.slots()).toBe(0);
  await clock.advance(2000);
  expect(second.gate.closedUntilMs()).toBeNull();
});

test('a closing that came from the shared gate is not told back', async () => {
  const { clock, gate, shared } = open();
  shared.change((state) => ({
    ...state,
    closing: afterThrottle(state.closing, state.seenMs, { remainingMs: 30_000, reason: 'throttled' }),
  }));
  const refused = sendOne(gate);
  await clock.advance(5000);
  expect(await refused).toBe('gate_closed');
  expect(shared.state.closing.number).toBe(1);
});

test('a success after the reopening is told, and ends the row of throttles for all', async () => {
  const { clock, gate, shared } = open();
  const permit = (await Promise.all([sendOne(gate), clock.advance(100)]))[0] as Permit;
  permit.throttled({ retryAtMs: clock.wallMs() + 2000, reason: 'throttled' });
  permit.release();
  await clock.advance(2000);
  const probe = (await Promise.all([sendOne(gate), clock.advance(1500)]))[0] as Permit;
  expect(shared.state.closing.throttlesInARow).toBe(1);
  probe.succeeded();
  await clock.advance(10);
  expect(shared.state.closing).toMatchObject({ throttlesInARow: 0, firstThrottleMs: null });
});

test('while the gate is paused nothing is sent, and no slot is open', async () => {
  const { clock, gate, shared } = open();
  shared.change((state) => ({ ...state, paused: true }));
  const waiting = sendOne(gate);
  await clock.advance(20_000);
  expect(await waiting).toBe('pacing');
  expect(gate.slots()).toBe(0);
  shared.change((state) => ({ ...state, paused: false }));
  await clock.advance(TTL_MS);
  expect(gate.slots()).toBeGreaterThan(0);
});

test('units of a long window are counted over restarts: what one worker has sent the next one does not send again', async () => {
  const settings = { rate: [{ limit: 30, perMs: HOUR_MS }] };
  const first = open(settings);
  const sentMs: number[] = [];
  keepSending(first.gate, sentMs, first.clock);
  await first.clock.advance(1500);
  await Promise.all([first.keeper.stop(), first.clock.advance(100)]);
  const sentByFirst = sentMs.length;
  expect(sentByFirst).toBeGreaterThan(9);
  const second = open(settings, first.shared, first.clock);
  const sentBySecond: number[] = [];
  keepSending(second.gate, sentBySecond, first.clock);
  await first.clock.advance(60_000);
  expect(sentByFirst + sentBySecond.length).toBe(30);
  await settle();
});

test('two workers divide the limit, and neither is slower than its part', async () => {
  const first = open();
  const second = open({}, first.shared, first.clock);
  const sentMs: number[] = [];
  keepSending(first.gate, sentMs, first.clock);
  keepSending(second.gate, sentMs, first.clock);
  await first.clock.advance(10_000);
  const fromMs = first.clock.monotonicMs();
  await first.clock.advance(10_000);
  const sent = sentMs.filter((atMs) => atMs > fromMs).length;
  expect(sent).toBeGreaterThanOrEqual(95);
  expect(sent).toBeLessThanOrEqual(100);
});

test('three workers of which one has calls: it uses all of the limit, and the others have their parts again within two lease times of their first call', async () => {
  const limit = 30;
  const settings = { rate: [{ limit, perMs: 1000 }] };
  const clock = new ManualClock();
  const shared = new MemoryGate(clock);
  const [busy, ...idle] = [1, 2, 3].map(() => open(settings, shared, clock).gate);
  const busyMs: number[] = [];
  const idleMs: number[] = [];
  for (const gate of idle) void sendOne(gate).then((permit) => typeof permit !== 'string' && permit.release());
  keepSending(busy as ProviderGate, busyMs, clock);
  const sentIn = (sentMs: number[], fromMs: number, untilMs: number) =>
    sentMs.filter((atMs) => atMs >= fromMs && atMs < untilMs).length;
  await clock.advance(IDLE_AFTER_MS + 2 * TTL_MS);
  const aloneMs = clock.monotonicMs();
  await clock.advance(10_000);
  expect(sentIn(busyMs, aloneMs, aloneMs + 10_000)).toBeGreaterThanOrEqual(0.95 * 10 * limit);
  for (const gate of idle) keepSending(gate, idleMs, clock);
  const dueMs = clock.monotonicMs() + 2 * TTL_MS;
  await clock.advance(2 * TTL_MS + 10_000);
  expect(sentIn(idleMs, dueMs, dueMs + 10_000)).toBeGreaterThanOrEqual(0.95 * 10 * limit * (2 / 3));
  expect(
    mostIn(
      [...busyMs, ...idleMs].sort((a, b) => a - b),
      1000,
    ),
  ).toBeLessThanOrEqual(limit);
});

describe('a person who has to act', () => {
  const state = (gate: ProviderGate) => gate.snapshot().exhausted;

  test('stops all workers, one that joins later on too, until somebody resumes the gate', async () => {
    const one = open();
    const other = open({}, one.shared, one.clock);
    for (const { gate } of [one, other]) keepSending(gate, [], one.clock);
    await one.clock.advance(10_000);
    one.gate.needsPerson('acme/default: no credits');
    await one.clock.advance(1000);
    expect([state(one.gate), state(other.gate)]).toEqual(['NEEDS_PERSON', 'NEEDS_PERSON']);
    const sent = other.gate.snapshot().sent;
    await one.clock.advance(60_000);
    expect(other.gate.snapshot().sent).toBe(sent);
    one.shared.change((before) => ({ ...before, needsPerson: null }));
    await one.clock.advance(2 * TTL_MS);
    expect(other.gate.snapshot().sent).toBeGreaterThan(sent);
    expect(one.gate.snapshot().exhausted).toBeNull();
  });

  test('a worker that was started after it tries anew, those before it stay stopped', async () => {
    const one = open();
    keepSending(one.gate, [], one.clock);
    await one.clock.advance(1000);
    one.gate.needsPerson('acme/default: key refused');
    await one.clock.advance(1000);
    const fresh = open({}, one.shared, one.clock);
    await fresh.clock.advance(1);
    keepSending(fresh.gate, [], fresh.clock);
    const { sent } = one.gate.snapshot();
    await fresh.clock.advance(20_000);
    expect(fresh.gate.snapshot().sent).toBeGreaterThan(10);
    expect(one.gate.snapshot().sent).toBe(sent);
  });
});

describe('a refusal of one endpoint', () => {
  const search = { endpoint: 'acme.search', maxWaitMs: 0, signal: new AbortController().signal };

  /** Two workers that both hold a lease; the second one has met nothing. */
  async function openTwo(settings: Partial<GateSettings> = {}) {
    const first = open(settings);
    const second = open(settings, first.shared, first.clock);
    for (const { gate } of [first, second]) void sendOne(gate);
    await first.clock.advance(TTL_MS);
    return { clock: first.clock, shared: first.shared, first: first.gate, second: second.gate };
  }

  async function refuseSearch(gate: Gate, clock: ManualClock, delayMs: number): Promise<void> {
    const asked = gate.acquire({ ...search, maxWaitMs: 5000 });
    await clock.advance(1000);
    const answer = await asked;
    if (answer.kind !== 'permit') throw new Error(`expected a permit, got ${answer.kind}`);
    answer.permit.startSending();
    answer.permit.throttled({
      retryAtMs: clock.wallMs() + delayMs,
      reason: 'throttled',
      status: 429,
      said: 'Retry-After: 30',
      scope: 'endpoint',
    });
    answer.permit.release();
    await clock.advance(TTL_MS / 2);
  }

  test('holds back its calls in every worker, and the other tools of none', async () => {
    const { clock, shared, first, second } = await openTwo();
    await refuseSearch(first, clock, 30_000);
    expect(await second.acquire(search)).toMatchObject({ kind: 'wait', reason: 'gate_closed' });
    expect(typeof (await sendOne(second))).toBe('object');
    expect(statusOf(shared.state)).toMatchObject({
      closedUntilMs: null,
      throttlesInARow: 0,
      endpoints: [{ endpoint: 'acme.search', status: 429, said: 'Retry-After: 30', throttlesInARow: 1 }],
    });
  });

  test('is over for all workers when a call of one of them is let in', async () => {
    const { clock, shared, first, second } = await openTwo();
    await refuseSearch(first, clock, 2000);
    await clock.advance(2000);
    const asked = first.acquire({ ...search, maxWaitMs: 5000 });
    await clock.advance(1000);
    const probe = await asked;
    if (probe.kind !== 'permit') throw new Error(`expected a permit, got ${probe.kind}`);
    probe.permit.startSending();
    probe.permit.succeeded();
    await clock.advance(TTL_MS / 2);
    expect(shared.state.endpoints).toEqual([]);
    const both = Promise.all([1, 2].map(() => second.acquire({ ...search, maxWaitMs: 1000 })));
    await clock.advance(1000);
    expect((await both).map(({ kind }) => kind)).toEqual(['permit', 'permit']);
  });

  test('that lasts longer than giveUpAfter ends its calls in every worker', async () => {
    const { clock, first, second } = await openTwo({ giveUpAfterMs: 60_000 });
    await refuseSearch(first, clock, 2 * HOUR_MS);
    for (const gate of [first, second]) {
      expect(await gate.acquire(search)).toMatchObject({
        kind: 'exhausted',
        code: 'PROVIDER_EXHAUSTED',
        message: expect.stringMatching(/^acme\.search of account default: closed until /),
      });
      expect(typeof (await sendOne(gate))).toBe('object');
    }
  });
});
