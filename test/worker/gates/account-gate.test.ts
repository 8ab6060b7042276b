// Limits in other units than requests, on a clock that is turned by hand: what calls weigh, settle and are refused for.
import fc from 'fast-check';
import type { GateAnswer, Permit } from '../../../activities/gate-port';
import type { Units } from '../../../contracts/gate';
import type { AccountGate } from '../../../worker/gates/account-gate';
import type { AccountSettings } from '../../../worker/gates/gate-types';
import { createGates } from '../../../worker/gates/gates';
import { LeaseKeeper } from '../../../worker/gates/lease-keeper';
import { ManualClock, settle } from './manual-clock';
import { MemoryGate } from './memory-gate';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const SETTINGS: AccountSettings = {
  provider: 'acme',
  account: 'default',
  rate: [],
  concurrency: 10,
  giveUpAfterMs: 24 * HOUR_MS,
  units: [{ unit: 'tokens', rate: [{ limit: 1000, perMs: MINUTE_MS }] }],
};

function open(settings: Partial<AccountSettings> = {}, clock = new ManualClock()) {
  const gates = createGates([{ ...SETTINGS, ...settings }], clock, () => 0);
  return { clock, gates, gate: gates.account('acme', 'default') };
}

const acquire = (gate: AccountGate, units: Units, maxWaitMs = 0): Promise<GateAnswer> =>
  gate.acquire({ units, maxWaitMs, signal: new AbortController().signal });

/** A permit whose call is on its way; fails the test when the gate gives none. */
async function send(gate: AccountGate, units: Units, maxWaitMs = 0): Promise<Permit> {
  const answer = await acquire(gate, units, maxWaitMs);
  if (answer.kind !== 'permit') throw new Error(`expected a permit, got ${JSON.stringify(answer)}`);
  expect(answer.permit.startSending()).toBeNull();
  answer.permit.leaving();
  return answer.permit;
}

test('a call counts with the most that it may use, until its answer says what it has used', async () => {
  const { gate } = open();
  const heavy = await send(gate, { tokens: 900 });
  expect(await acquire(gate, { tokens: 200 })).toMatchObject({ kind: 'wait', reason: 'pacing' });
  heavy.used({ tokens: 300 });
  heavy.release();
  expect(await acquire(gate, { tokens: 700 })).toMatchObject({ kind: 'permit' });
});

test('an answer that tells more than was thought fills the window with what it tells', async () => {
  const { gate, clock } = open();
  const call = await send(gate, { tokens: 100 });
  call.used({ tokens: 1000 });
  call.release();
  expect(await acquire(gate, { tokens: 1 })).toMatchObject({ kind: 'wait', reason: 'pacing' });
  await clock.advance(2 * MINUTE_MS);
  expect(await acquire(gate, { tokens: 1000 })).toMatchObject({ kind: 'permit' });
});

test('a call that is heavier than a whole window is refused at once, with what to do', async () => {
  const { gate } = open();
  expect(await acquire(gate, { tokens: 1001 })).toEqual({
    kind: 'too_heavy',
    message:
      'the call may use 1001 tokens, but acme.default admits 1000 in a whole window: lower units.tokens.most of the tool, or split the input',
  });
  expect(gate.requests.snapshot().waiting).toBe(0);
});

test('a call without a permit for its request gives its units back, and calls without weight need none', async () => {
  const { gate } = open({ concurrency: 1 });
  const running = await send(gate, { tokens: 1000 });
  expect(await acquire(gate, { tokens: 1 })).toMatchObject({ kind: 'wait' });
  expect(await acquire(gate, {})).toMatchObject({ kind: 'wait' });
  running.used({ tokens: 0 });
  expect(await acquire(gate, { tokens: 1000 })).toMatchObject({ kind: 'wait' });
  running.release();
  expect(await acquire(gate, { tokens: 1000 })).toMatchObject({ kind: 'permit' });
});

test('a refusal closes the account and not its units, and a person is needed for all of it', async () => {
  const { gate, clock } = open();
  const refused = await send(gate, { tokens: 10 });
  refused.throttled({ retryAtMs: clock.wallMs() + 5000, reason: 'throttled' });
  refused.release();
  expect(gate.closedUntilMs()).toBe(clock.wallMs() + 5000);
  expect(gate.slots()).toBe(0);
  gate.needsPerson('no credits');
  expect(await acquire(gate, { tokens: 10 })).toMatchObject({ kind: 'exhausted', code: 'NEEDS_PERSON' });
});

test('calls of an account that is given up end at once, though all its units are used up', async () => {
  const { gate, clock } = open();
  const refused = await send(gate, { tokens: 1000 });
  refused.throttled({ retryAtMs: clock.wallMs() + 25 * HOUR_MS, reason: 'quota' });
  refused.release();
  expect(await acquire(gate, { tokens: 500 })).toMatchObject({ kind: 'exhausted', code: 'PROVIDER_EXHAUSTED' });
  expect(gate.slots()).toBe(200);
});

test('slots wait for units, and are told when there are some again', async () => {
  const { gate, clock } = open();
  const call = await send(gate, { tokens: 1000 });
  call.release();
  expect(gate.slots()).toBe(0);
  const told = gate.slotsChanged(new AbortController().signal);
  await clock.advance(2 * MINUTE_MS);
  await told;
  expect(gate.slots()).toBe(1);
});

interface Call {
  most: number;
  /** Share of the most that it turns out to use. */
  share: number;
  afterMs: number;
}

const calls = fc.array(
  fc.record({
    most: fc.integer({ min: 1, max: 1000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    afterMs: fc.integer({ min: 0, max: 1500 }),
  }),
  { minLength: 10, maxLength: 40 },
);

/** What was used, by when the provider counted it. */
type Used = { atMs: number; units: number }[];

const mostInAnyWindow = (used: Used, perMs: number): number =>
  Math.max(
    0,
    ...used.map(({ atMs: endMs }) =>
      used.reduce((sum, { atMs, units }) => sum + (atMs <= endMs && atMs > endMs - perMs ? units : 0), 0),
    ),
  );

/** Calls in a row, each asked for again until it is let in. */
async function run(
  gate: AccountGate,
  clock: ManualClock,
  wanted: readonly Call[],
  used: Used,
  answerMs = 200,
): Promise<void> {
  for (const { most, share, afterMs } of wanted) {
    await clock.sleep(afterMs);
    for (;;) {
      const answer = await acquire(gate, { tokens: most }, 5000);
      if (answer.kind === 'permit' && answer.permit.startSending() === null) {
        answer.permit.leaving();
        const units = Math.floor(most * share);
        used.push({ atMs: clock.monotonicMs(), units });
        await clock.sleep(answerMs);
        answer.permit.used({ tokens: units });
        answer.permit.succeeded();
        answer.permit.release();
        break;
      }
      if (answer.kind === 'permit') answer.permit.release();
      await clock.sleep(1000);
    }
  }
}

/** Turns the clock until the work is done. */
async function until(work: Promise<unknown>, clock: ManualClock): Promise<void> {
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  for (await settle(); !isDone; ) await clock.advance(1000);
  await work;
}

test('no window is ever exceeded, whatever calls weigh and turn out to use', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (wanted) => {
      const { gate, clock } = open();
      const used: Used = [];
      await until(Promise.all([0, 1, 2].map((line) => run(gate, clock, wanted.slice(line), used))), clock);
      expect(mostInAnyWindow(used, MINUTE_MS)).toBeLessThanOrEqual(1000);
    }),
    { numRuns: 15 },
  );
});

test('units that turn out unused and are used again before the shared gate hears of it count when they are used', async () => {
  const clock = new ManualClock();
  const shared = { requests: new MemoryGate(clock), tokens: new MemoryGate(clock) };
  const { gates, gate } = open({}, clock);
  for (const own of gates.all()) {
    const memory = own.settings.unit === undefined ? shared.requests : shared.tokens;
    new LeaseKeeper(own, memory, { worker: 'w', ttlMs: 10_000, warn: () => undefined }, clock);
  }
  const used: Used = [];
  // The first call is reported with its most, turns out light, and what it leaves is used before the next report.
  const wanted = [
    { most: 600, share: 0.1, afterMs: 0 },
    { most: 100, share: 0.5, afterMs: 1500 },
    { most: 1000, share: 1, afterMs: 500 },
  ];
  await until(run(gate, clock, wanted, used, 4000), clock);
  expect(mostInAnyWindow(used, MINUTE_MS)).toBeLessThanOrEqual(1000);
});

test('workers that lease one limit together never exceed it, and the heaviest calls get through too', async () => {
  await fc.assert(
    fc.asyncProperty(calls, calls, async (first, second) => {
      const clock = new ManualClock();
      const shared = { requests: new MemoryGate(clock), tokens: new MemoryGate(clock) };
      const used: Used = [];
      const workers = [first, second].map((wanted, index) => {
        const { gates, gate } = open({}, clock);
        for (const own of gates.all()) {
          const memory = own.settings.unit === undefined ? shared.requests : shared.tokens;
          new LeaseKeeper(own, memory, { worker: `w${index}`, ttlMs: 10_000, warn: () => undefined }, clock);
        }
        // Leases are renewed while calls are under way, so that some are reported with the most they could use.
        return Promise.all([0, 1].map((line) => run(gate, clock, wanted.slice(line, 20), used, 4000)));
      });
      await until(Promise.all(workers), clock);
      expect(mostInAnyWindow(used, MINUTE_MS)).toBeLessThanOrEqual(1000);
    }),
    { numRuns: 12 },
  );
});
