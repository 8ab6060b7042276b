// Limits that nobody declared, or declared wrongly, are found out: real gates and leases on a clock that is turned by hand, against a provider that hides its limits.
import type { GateLimits } from '../../../contracts/gate';
import { ProviderGate } from '../../../worker/gates/gate';
import { LeaseKeeper } from '../../../worker/gates/lease-keeper';
import { learnedStatus } from '../../../workflows/gate-learning';
import { ManualClock } from './manual-clock';
import { MemoryGate } from './memory-gate';

const LATENCY_MS = 100;
const TTL_MS = 3000;
const CALLERS = 30;
const TWO_MINUTES_MS = 120_000;

/** Hides what it admits: calls in any second, and at the same time. */
class HiddenLimits {
  perSecond = Number.POSITIVE_INFINITY;
  concurrency = Number.POSITIVE_INFINITY;
  admitted = 0;
  refusals = 0;
  /** The next call is refused whatever the limits are, as one that arrives too soon after another. */
  refusesNext = false;
  private recentMs: number[] = [];
  private inFlight = 0;

  constructor(private readonly clock: ManualClock) {}

  /** Null when it was answered, else what the refusal asks to wait, in milliseconds. */
  async answer(): Promise<number | null> {
    const nowMs = this.clock.monotonicMs();
    this.recentMs = this.recentMs.filter((atMs) => atMs > nowMs - 1000);
    if (this.refusesNext || this.recentMs.length >= this.perSecond || this.inFlight >= this.concurrency) {
      this.refusesNext = false;
      this.refusals += 1;
      await this.clock.sleep(5);
      return 1000;
    }
    this.recentMs.push(nowMs);
    this.admitted += 1;
    this.inFlight += 1;
    await this.clock.sleep(LATENCY_MS);
    this.inFlight -= 1;
    return null;
  }

  /** Calls a second that it admits in the next two minutes. */
  async throughput(): Promise<number> {
    const before = this.admitted;
    await this.clock.advance(TWO_MINUTES_MS);
    return (this.admitted - before) / (TWO_MINUTES_MS / 1000);
  }
}

/** Calls one after the other for ever. */
function keepCalling(gate: ProviderGate, provider: HiddenLimits, clock: ManualClock): void {
  void (async () => {
    for (;;) {
      const answer = await gate.acquire({ maxWaitMs: 5000, signal: new AbortController().signal });
      if (answer.kind !== 'permit') {
        await clock.sleep(1000);
        continue;
      }
      if (answer.permit.startSending() === null) {
        answer.permit.leaving();
        const waitMs = await provider.answer();
        if (waitMs === null) answer.permit.succeeded();
        else answer.permit.throttled({ retryAtMs: clock.wallMs() + waitMs, reason: 'throttled', status: 429 });
      }
      answer.permit.release();
    }
  })();
}

function open(workers: number, limits: GateLimits = { rate: [], concurrency: null }) {
  const clock = new ManualClock();
  const shared = new MemoryGate(clock);
  const provider = new HiddenLimits(clock);
  for (let n = 0; n < workers; n += 1) {
    const settings = { provider: 'acme', account: 'default', ...limits, giveUpAfterMs: 86_400_000 };
    const gate = new ProviderGate(settings, clock, () => 0.5);
    new LeaseKeeper(gate, shared, { worker: `w${n}`, ttlMs: TTL_MS, warn: () => undefined }, clock);
    for (let caller = 0; caller < CALLERS / workers; caller += 1) keepCalling(gate, provider, clock);
  }
  const learned = () => learnedStatus(shared.state.learning, workers, 0);
  return { clock, shared, provider, learned };
}

const isWithin = (value: number | null | undefined, limit: number, share = 0.1) => {
  expect(value).toBeGreaterThanOrEqual(limit * (1 - share));
  expect(value).toBeLessThanOrEqual(limit * (1 + share));
};

test.each([
  { workers: 1, rates: [50, 30, 70] as const },
  // Whole calls of three workers are a large part of so low a limit.
  { workers: 3, rates: [20, 12, 28] as const },
])(
  '$workers workers find a hidden rate within 10 % in two minutes, and follow it down and up',
  async ({ workers, rates: [first, lower, higher] }) => {
    const { clock, provider, learned } = open(workers);
    provider.perSecond = first;
    await clock.advance(TWO_MINUTES_MS);
    isWithin(learned()?.perSecond, first);
    provider.perSecond = lower;
    await clock.advance(TWO_MINUTES_MS);
    isWithin(learned()?.perSecond, lower);
    provider.perSecond = higher;
    await clock.advance(TWO_MINUTES_MS);
    isWithin(learned()?.perSecond, higher);
    const refusals = provider.refusals;
    expect(await provider.throughput()).toBeGreaterThan(0.75 * higher);
    expect(provider.refusals - refusals).toBeLessThan(20);
  },
);

test('a hidden limit of calls at the same time is found too', async () => {
  const { clock, provider } = open(1);
  provider.concurrency = 10;
  await clock.advance(TWO_MINUTES_MS);
  const { refusals } = provider;
  // Ten at the same time, each for 100 ms, are 100 a second.
  expect(await provider.throughput()).toBeGreaterThan(0.7 * 100);
  expect(provider.refusals - refusals).toBeLessThan(60);
});

test('a declared rate that is too high gives way to what is found, and comes back when it holds', async () => {
  const { clock, provider, learned } = open(1, { rate: [{ limit: 30, perMs: 1000 }], concurrency: null });
  provider.perSecond = 20;
  await clock.advance(TWO_MINUTES_MS);
  isWithin(learned()?.perSecond, 20);
  provider.perSecond = 100;
  await clock.advance(TWO_MINUTES_MS);
  expect(learned()?.perSecond ?? null).toBeNull();
});

test('a declared rate that is right stays as it is, though now and then a late request is refused', async () => {
  const { clock, provider, shared, learned } = open(1, { rate: [{ limit: 10, perMs: 1000 }], concurrency: null });
  for (let late = 0; late < 4; late += 1) {
    await clock.advance(25_000);
    provider.refusesNext = true;
  }
  await clock.advance(10_000);
  expect(provider.refusals).toBe(4);
  expect(shared.state.learning?.strikes).toBe(1);
  expect(learned()).toBeNull();
});

test('a provider that admits everything but is down twice is not slowed down', async () => {
  const { clock, provider, learned } = open(1);
  provider.perSecond = 1000;
  for (let outage = 0; outage < 2; outage += 1) {
    await clock.advance(10_000);
    provider.concurrency = 0;
    await clock.advance(5000);
    provider.concurrency = Number.POSITIVE_INFINITY;
  }
  await clock.advance(20_000);
  expect(learned()).toBeNull();
});

test('what was learned is shown with the lines that pin it into a provider file', async () => {
  const { clock, provider, learned } = open(1);
  provider.perSecond = 20;
  await clock.advance(TWO_MINUTES_MS);
  expect(learned()).toMatchObject({ sinceMs: expect.any(Number), answers: expect.any(Number) });
  expect(learned()?.answers).toBeGreaterThan(500);
  expect(learned()?.pin).toMatch(
    /^limits:\n {2}rate: \[ \{ limit: (1[89]|20|21)\d, per: 10s \} \]\n {2}concurrency: \d+$/,
  );
});
