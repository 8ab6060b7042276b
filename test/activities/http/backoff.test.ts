// Waits of our own making: they grow, stay finite, and jitter only ever adds.
import fc from 'fast-check';
import { jitterMs, quotaProbeMs, subsecondFloorMs, throttleMs, transientMs } from '../../../activities/http/backoff';
import { remainingMs } from '../../../activities/http/clamp';

test('waits after throttles double to five minutes', () => {
  expect([1, 2, 3, 4, 9, 10, 5_000].map(throttleMs)).toEqual([1_000, 2_000, 4_000, 8_000, 256_000, 300_000, 300_000]);
});

test('the floor under small hints begins with the second throttle and ends at a minute', () => {
  expect([1, 2, 3, 6, 11, 5_000].map(subsecondFloorMs)).toEqual([0, 200, 400, 3_200, 60_000, 60_000]);
});

test('a transient wait is half fixed and half drawn, also for the 1100th attempt', () => {
  expect([1, 2, 3, 1_100].map((attempt) => transientMs(attempt, () => 0))).toEqual([500, 1_000, 2_000, 30_000]);
  expect([1, 2, 3, 1_100].map((attempt) => transientMs(attempt, () => 0.999999))).toEqual([
    1_000, 2_000, 4_000, 60_000,
  ]);
  expect(transientMs(10, () => 0.5, 4_000)).toBe(3_000);
  expect(transientMs(1_100, () => 0, Number.POSITIVE_INFINITY)).toBe(500 * 2 ** 30);
});

test('a quota probe with its jitter stays between 15 and 60 minutes', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (draw) => {
      const probe = quotaProbeMs(() => draw);
      const withJitter = probe + jitterMs(probe, () => draw);
      expect(probe >= 15 * 60_000 && withJitter <= 60 * 60_000).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test('jitter is added, a fifth of the wait within 2 to 30 seconds', () => {
  const most = () => 1 - Number.EPSILON;
  expect([0, 10_000, 20_000, 100_000, 86_400_000].map((ms) => jitterMs(ms, most))).toEqual([
    1_999, 1_999, 3_999, 19_999, 29_999,
  ]);
  expect(jitterMs(86_400_000, () => 0)).toBe(0);
});

test('200 draws over a ten second hold differ, and none is early', () => {
  const delays = Array.from({ length: 200 }, () => 10_000 + jitterMs(10_000, Math.random));
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(10_000);
  expect(Math.max(...delays)).toBeLessThanOrEqual(12_000);
  expect(new Set(delays).size).toBeGreaterThan(1);
});

test('a number that must not reach a timer is refused', () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1])
    expect(() => jitterMs(bad, () => 0)).toThrow(RangeError);
  for (const bad of [Number.NaN, Number.NEGATIVE_INFINITY]) expect(() => remainingMs(bad, 0)).toThrow(RangeError);
  expect(() => remainingMs(0, Number.NaN)).toThrow('expected finite epoch milliseconds');
  expect(remainingMs(5_000, 9_000)).toBe(0);
});
