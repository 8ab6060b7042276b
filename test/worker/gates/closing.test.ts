import fc from 'fast-check';
import {
  afterSuccess,
  afterThrottle,
  type ClosingState,
  exhaustedAtMs,
  isClosed,
  isExhausted,
  jitterMs,
  NEVER_CLOSED,
  throttleNumber,
} from '../../../worker/gates/closing';

const throttle = (
  state: ClosingState,
  nowMs: number,
  delayMs: number,
  draw = 0,
  generation: number | null = state.generation,
) => afterThrottle(state, { nowMs, delayMs, generation, draw });

test('jitter is a fifth of the wait, kept within 2 s and 30 s', () => {
  expect([0, 5_000, 60_000, 3_600_000].map((delayMs) => jitterMs(delayMs, 1))).toEqual([2_000, 2_000, 12_000, 30_000]);
  expect(jitterMs(60_000, 0.5)).toBe(6_000);
});

test('a later instant prolongs a closing, an earlier one and a late success never shorten it', () => {
  const closed = throttle(NEVER_CLOSED, 0, 60_000);
  expect(throttle(closed, 10, 1_000, 0, 0).untilMs).toBe(60_000);
  expect(throttle(closed, 10, 90_000, 0, 0).untilMs).toBe(90_010);
  expect(afterSuccess(closed, 0)).toEqual(closed);
});

test('the jitter of a closing is drawn once and scaled to the longest wait', () => {
  const closed = throttle(NEVER_CLOSED, 0, 60_000, 0.5);
  expect(closed.untilMs).toBe(66_000);
  expect(throttle(closed, 0, 61_000, 0.99, 0).untilMs).toBe(61_000 + 6_100);
});

test('calls that were refused together are one throttle, and each closing after a reopening one more', () => {
  let state = NEVER_CLOSED;
  expect(throttleNumber(state, 0, 0)).toBe(1);
  state = throttle(state, 0, 1_000);
  expect(throttleNumber(state, 1, 0)).toBe(1);
  state = throttle(state, 1, 1_000, 0, 0);
  expect(state.throttlesInARow).toBe(1);
  expect(throttleNumber(state, 2_000, state.generation)).toBe(2);
  state = throttle(state, 2_000, 1_000);
  expect(state.throttlesInARow).toBe(2);
});

test('a call from before the closing that is refused after the reopening closes again and counts nothing', () => {
  const first = throttle(NEVER_CLOSED, 0, 1_000);
  const again = throttle(first, 5_000, 1_000, 0, 0);
  expect(isClosed(again, 5_500)).toBe(true);
  expect(again.throttlesInARow).toBe(1);
});

test('only a success of a call that was sent after the closing starts the counts anew', () => {
  const closed = throttle(NEVER_CLOSED, 0, 1_000);
  expect(afterSuccess(closed, 0).throttlesInARow).toBe(1);
  expect(afterSuccess(closed, closed.generation)).toMatchObject({ throttlesInARow: 0, firstThrottleMs: null });
});

test('an account is exhausted while it is closed, from the given time after its first throttle on', () => {
  const first = throttle(NEVER_CLOSED, 100, 1_000);
  const second = throttle(first, 2_000, 10_000);
  expect(exhaustedAtMs(second, 5_000)).toBe(5_100);
  expect(isExhausted(second, 5_099, 5_000)).toBe(false);
  expect(isExhausted(second, 5_100, 5_000)).toBe(true);
  // The reopening lets a probe find out.
  expect(isExhausted(second, 12_000, 5_000)).toBe(false);
  expect(exhaustedAtMs(NEVER_CLOSED, 5_000)).toBe(Number.POSITIVE_INFINITY);
});

test('whatever is answered in whatever order, a closing only moves away and nothing becomes NaN', () => {
  const event = fc.record({
    gapMs: fc.double({ min: 0, max: 60_000, noNaN: true }),
    delayMs: fc.double({ min: -60_000, max: 86_400_000, noNaN: true }),
    draw: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    age: fc.integer({ min: 0, max: 3 }),
    success: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      let state = NEVER_CLOSED;
      let nowMs = 0;
      for (const { gapMs, delayMs, draw, age, success } of events) {
        nowMs += gapMs;
        const generation = Math.max(0, state.generation - age);
        const next = success ? afterSuccess(state, generation) : throttle(state, nowMs, delayMs, draw, generation);
        expect(next.untilMs).toBeGreaterThanOrEqual(state.untilMs);
        if (!success) expect(next.untilMs).toBeGreaterThanOrEqual(nowMs + Math.max(0, delayMs));
        expect(Number.isNaN(next.untilMs)).toBe(false);
        expect(next.throttlesInARow).toBeLessThanOrEqual(next.generation);
        state = next;
      }
    }),
    { numRuns: 200 },
  );
});
