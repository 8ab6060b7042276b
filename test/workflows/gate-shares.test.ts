// What the shares of a gate add up to: never more than the limit, soon all of it, whatever happens to the workers.
import fc from 'fast-check';
import type { GateLimits } from '../../contracts/gate';
import { type ShareHolder, shareFor, sharesChangeAtMs, withApplied } from '../../workflows/gate-shares';
import { type Happening, mostIn, STEP_MS, simulate, TTL_MS } from './gate-simulation';

const perSecond = (limit: number): GateLimits => ({ rate: [{ limit, perMs: 1000 }], concurrency: null });

const holder = (worker: string, limit: number | null, endsMs = 10_000): ShareHolder => ({
  worker,
  activeUntilMs: endsMs,
  inFlight: 0,
  grants: limit === null ? [] : [{ number: 1, share: perSecond(limit), allowance: null, isReported: false, endsMs }],
});

const limitFor = (limits: GateLimits, holders: ShareHolder[], worker: string, nowMs: number) =>
  shareFor(limits, holders, worker, nowMs).rate[0]?.limit;

test('a worker alone has everything', () => {
  expect(shareFor({ rate: [{ limit: 30, perMs: 1000 }], concurrency: 7 }, [holder('a', null)], 'a', 0)).toEqual({
    rate: [{ limit: 30, perMs: 1000 }],
    concurrency: 7,
  });
});

test('whole parts: the first workers have the rest of the division', () => {
  const holders = ['a', 'b', 'c'].map((worker) => holder(worker, null));
  expect(holders.map(({ worker }) => limitFor(perSecond(32), holders, worker, 0))).toEqual([11, 11, 10]);
});

test('a worker that joins has nothing until the other has applied less and a window has passed', () => {
  const a = holder('a', 30);
  const holders = [a, holder('b', null)];
  expect(limitFor(perSecond(30), holders, 'b', 0)).toBe(0);
  expect(limitFor(perSecond(30), holders, 'a', 0)).toBe(15);
  a.grants.push({ number: 2, share: perSecond(15), allowance: null, isReported: false, endsMs: 11_000 });
  a.grants = withApplied(a, 2, 1000);
  expect(limitFor(perSecond(30), holders, 'b', 2000)).toBe(0);
  expect(sharesChangeAtMs(perSecond(30), holders, 'b', 2000)).toBe(2250);
  expect(limitFor(perSecond(30), holders, 'b', 2250)).toBe(15);
});

test('a limit smaller than the number of workers goes to the first ones, who have the whole of the other limits', () => {
  const holders = ['a', 'b', 'c'].map((worker) => holder(worker, null));
  const limits = { rate: [{ limit: 30, perMs: 1000 }], concurrency: 2 };
  const shares = holders.map(({ worker }) => shareFor(limits, holders, worker, 0));
  expect(shares.map(({ rate, concurrency }) => [rate[0]?.limit, concurrency])).toEqual([
    [15, 1],
    [15, 1],
    [0, 0],
  ]);
});

test('calls under way on an earlier share count until they have ended', () => {
  const calls = (concurrency: number): GateLimits => ({ rate: [], concurrency });
  const a: ShareHolder = { ...holder('a', null), inFlight: 8 };
  a.grants = [{ number: 2, share: calls(5), allowance: null, isReported: false, endsMs: 10_000 }];
  const holders = [a, holder('b', null)];
  expect(shareFor(calls(10), holders, 'b', 0).concurrency).toBe(2);
  a.inFlight = 4;
  expect(shareFor(calls(10), holders, 'b', 0).concurrency).toBe(5);
});

test('a share that does not know a new window takes all of it until it has ended', () => {
  const wider = { rate: [...perSecond(30).rate, { limit: 100, perMs: 5000 }], concurrency: null };
  const holders = [holder('a', 15), holder('b', null, 20_000)];
  expect(shareFor(wider, holders, 'b', 0).rate[1]?.limit).toBe(0);
  expect(shareFor(wider, holders, 'b', 15_250).rate[1]?.limit).toBe(100);
});

const END_MS = 30_000;
const happening = fc.record<Happening>({
  atMs: fc.integer({ min: 1, max: END_MS }),
  worker: fc.nat({ max: 3 }),
  kind: fc.constantFrom('join', 'join', 'join', 'die', 'leave', 'cutOff', 'stepBack'),
  lastsMs: fc.integer({ min: 100, max: 8000 }),
});

const limitsAnyhow = fc.constantFrom<GateLimits>(
  perSecond(7),
  perSecond(2),
  {
    rate: [
      { limit: 5, perMs: 500 },
      { limit: 30, perMs: 6000 },
    ],
    concurrency: null,
  },
  { rate: [{ limit: 40, perMs: 12_000 }], concurrency: null },
  {
    rate: [
      { limit: 6, perMs: 1000 },
      { limit: 60, perMs: 20_000 },
    ],
    concurrency: null,
  },
);

test('whatever joins, dies, leaves or is cut off, no window is ever exceeded', () => {
  fc.assert(
    fc.property(
      limitsAnyhow,
      fc.array(happening, { minLength: 1, maxLength: 15 }),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 30 }),
      (limits, happenings, delays) => {
        let drawn = 0;
        const delayMs = () => delays[drawn++ % delays.length] as number;
        const carry = (state: object) => JSON.parse(JSON.stringify(state));
        const first: Happening = { atMs: 0, worker: 0, kind: 'join', lastsMs: 0 };
        const log = simulate({ limits, happenings: [first, ...happenings], endMs: END_MS, delayMs, carry });
        for (const { limit, perMs } of limits.rate) expect(mostIn(log, perMs)).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 150, seed: 4 },
  );
});

test('three workers use at least 95 % of the limit, and what a dead one had is used again within two lease times', () => {
  const join = (worker: number): Happening => ({ atMs: worker * 500, worker, kind: 'join', lastsMs: 0 });
  const log = simulate({
    limits: perSecond(30),
    happenings: [join(0), join(1), join(2), { atMs: 12_000, worker: 1, kind: 'die', lastsMs: 0 }],
    endMs: END_MS,
    delayMs: () => STEP_MS,
  });
  const sentIn = (fromMs: number, untilMs: number) => log.filter((atMs) => atMs >= fromMs && atMs < untilMs).length;
  expect(sentIn(7000, 12_000)).toBeGreaterThanOrEqual(0.95 * 5 * 30);
  const freeMs = 12_000 + 2 * TTL_MS;
  expect(sentIn(freeMs, freeMs + 5000)).toBeGreaterThanOrEqual(0.95 * 5 * 30);
  expect(mostIn(log, 1000)).toBe(30);
});
