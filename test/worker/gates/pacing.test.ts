import fc from 'fast-check';
import { Pacing } from '../../../worker/gates/pacing';
import type { WindowLimit } from '../../../worker/gates/rate-window';

interface SentCall {
  atMs: number;
  weight: number;
}

/** The fullest that the provider could find any window of this length, wherever it begins it, both ends included. */
function fullest(sent: readonly SentCall[], perMs: number): number {
  let most = 0;
  let inside = 0;
  let oldest = 0;
  for (const call of sent) {
    inside += call.weight;
    while (sent[oldest]!.atMs < call.atMs - perMs) inside -= sent[oldest++]!.weight;
    most = Math.max(most, inside);
  }
  return most;
}

/** Sends `count` calls of weight 1, each as early as every window lets it. */
function sendGreedily(pacing: Pacing, count: number, fromMs = 0): SentCall[] {
  const sent: SentCall[] = [];
  let nowMs = fromMs;
  while (sent.length < count) {
    nowMs = pacing.fitsAtMs(nowMs, 1);
    pacing.permit(nowMs, 1);
    pacing.send(nowMs, 1);
    sent.push({ atMs: nowMs, weight: 1 });
  }
  return sent;
}

const windows = fc.array(
  fc.record({ limit: fc.integer({ min: 3, max: 30 }), perMs: fc.integer({ min: 50, max: 20_000 }) }),
  {
    minLength: 1,
    maxLength: 3,
  },
);
const arrivals = fc.array(
  fc.record({
    gapMs: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 500, noNaN: true })),
    weight: fc.integer({ min: 1, max: 3 }),
    sentAfterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 })),
    withdrawn: fc.boolean(),
  }),
  { minLength: 1, maxLength: 120 },
);

test('no window is ever exceeded, whatever arrives, however long a permit is kept before its call is sent', () => {
  fc.assert(
    fc.property(windows, arrivals, (limits, calls) => {
      const pacing = new Pacing(limits);
      const sent: SentCall[] = [];
      let kept: { atMs: number; weight: number; withdrawn: boolean }[] = [];
      let nowMs = 0;
      const sendKept = (untilMs: number) => {
        for (const call of kept.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)) {
          if (call.withdrawn) pacing.withdraw(call.weight);
          else {
            pacing.send(call.atMs, call.weight);
            sent.push(call);
          }
        }
        kept = kept.filter(({ atMs }) => atMs > untilMs);
      };
      for (const call of calls) {
        nowMs += call.gapMs;
        sendKept(nowMs);
        const fitsAtMs = pacing.fitsAtMs(nowMs, call.weight);
        expect(Number.isFinite(fitsAtMs) && fitsAtMs >= nowMs).toBe(true);
        expect(pacing.admits(nowMs, 5_000)).toBeGreaterThanOrEqual(0);
        // Half of the calls wait for their turn, the others ask once and go away.
        if (fitsAtMs > nowMs && call.withdrawn) continue;
        nowMs = fitsAtMs;
        sendKept(nowMs);
        if (pacing.fitsAtMs(nowMs, call.weight) > nowMs) continue;
        pacing.permit(nowMs, call.weight);
        kept.push({ atMs: nowMs + call.sentAfterMs, weight: call.weight, withdrawn: call.withdrawn });
      }
      sendKept(Number.POSITIVE_INFINITY);
      for (const { limit, perMs } of limits) expect(fullest(sent, perMs)).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 300 },
  );
});

test('a queue that never runs dry uses at least 97 % of the only window', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 100, max: 100_000 }), (limit, perMs) => {
      const sent = sendGreedily(new Pacing([{ limit, perMs }]), limit * 5 + 1);
      expect(sent.at(-1)!.atMs).toBeLessThanOrEqual((5 * perMs) / 0.97);
      expect(fullest(sent, perMs)).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 60 },
  );
});

test('the calls of a second are spread over it, and a late one is caught up', () => {
  const pacing = new Pacing([{ limit: 20, perMs: 1_000 }]);
  const sent = sendGreedily(pacing, 60);
  expect(fullest(sent, 49)).toBeLessThanOrEqual(3);
  const lateMs = sent.at(-1)!.atMs + 90;
  const caughtUp = sendGreedily(pacing, 2, lateMs);
  expect(caughtUp.at(-1)!.atMs).toBeLessThan(lateMs + 50);
});

test('a day’s calls may be used up in one go, and then nothing fits for the rest of the day', () => {
  const dayMs = 86_400_000;
  const pacing = new Pacing([{ limit: 5_000, perMs: dayMs }]);
  expect(pacing.admits(0, 5_000)).toBe(5_000);
  expect(sendGreedily(pacing, 5_000).at(-1)!.atMs).toBe(0);
  expect(pacing.admits(0, 5_000)).toBe(0);
  expect(pacing.fitsAtMs(1, 1)).toBeGreaterThan(dayMs);
});

test('a window too large to remember each call is never exceeded and still used to 97 %', () => {
  const perMs = 60_000;
  const pacing = new Pacing([{ limit: 12_000, perMs }]);
  const sent: SentCall[] = [];
  for (let atMs = 0; atMs < 12_000; atMs++) sent.push(...sendGreedily(pacing, 1, atMs));
  sent.push(...sendGreedily(pacing, 18_000, 12_000));
  // Longer than the window by nearly all of its safety: remembering calls together must not use that up.
  expect(fullest(sent, perMs * 1.00999)).toBeLessThanOrEqual(12_000);
  expect(sent.at(-1)!.atMs).toBeLessThanOrEqual((2 * perMs + 6_000) / 0.97);
});

test('without windows everything fits at once', () => {
  const pacing = new Pacing([]);
  expect(pacing.fitsAtMs(7, 1_000, 1_000)).toBe(7);
  expect(pacing.admits(7, 5_000)).toBe(Number.POSITIVE_INFINITY);
});

test('calls that wait ahead move the estimate on by whole windows', () => {
  const pacing = new Pacing([{ limit: 10, perMs: 60_000 }]);
  expect(pacing.fitsAtMs(0, 1, 9)).toBe(0);
  expect(pacing.fitsAtMs(0, 1, 10)).toBeGreaterThanOrEqual(60_000);
  expect(pacing.fitsAtMs(0, 1, 25)).toBeGreaterThanOrEqual(120_000);
});

test('limits that are replaced keep counting what was sent and what is about to be', () => {
  const pacing = new Pacing([{ limit: 10, perMs: 60_000 }]);
  sendGreedily(pacing, 4);
  pacing.permit(0, 1);
  pacing.replace([{ limit: 6, perMs: 60_000 }], 0);
  expect(pacing.fitsAtMs(0, 1)).toBe(0);
  expect(pacing.fitsAtMs(0, 2)).toBeGreaterThan(0);
  pacing.withdraw(1);
  expect(pacing.fitsAtMs(0, 2)).toBe(0);
  pacing.replace([{ limit: 0, perMs: 60_000 }], 0);
  expect(pacing.admits(0, 5_000)).toBe(0);
  expect(pacing.fitsAtMs(0, 1)).toBeGreaterThan(0);
});

test('what an answer tells of a call counts in the windows that took over since the call was sent', () => {
  const pacing = new Pacing([{ limit: 10, perMs: 60_000 }]);
  pacing.permit(0, 5);
  const entries = pacing.send(0, 5);
  pacing.replace([{ limit: 6, perMs: 60_000 }], 0);
  pacing.arrived(entries, 10_000);
  expect(pacing.fitsAtMs(65_000, 6)).toBeGreaterThanOrEqual(70_000);
  pacing.settle(entries, 4, true);
  expect(pacing.fitsAtMs(65_000, 5)).toBe(65_000);
});

test('limits and weights that mean nothing are refused with what was found', () => {
  const wrong: WindowLimit[] = [
    { limit: -1, perMs: 1_000 },
    { limit: Number.NaN, perMs: 1_000 },
    { limit: 5, perMs: 0 },
    { limit: 5, perMs: Number.POSITIVE_INFINITY },
  ];
  for (const limit of wrong) expect(() => new Pacing([limit])).toThrow(`got ${limit.limit} per ${limit.perMs} ms`);
  const pacing = new Pacing([{ limit: 5, perMs: 1_000 }]);
  expect(() => pacing.check(6)).toThrow('got 6 units, expected at most the 5 of the window of 1000 ms');
  expect(() => pacing.check(0)).toThrow('got 0, expected a number above 0');
  expect(() => pacing.check(Number.NaN)).toThrow('got NaN');
});
