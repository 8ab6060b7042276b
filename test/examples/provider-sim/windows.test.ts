import { windowWaitMs } from '../../../examples/provider-sim/windows';

const perSecond = [{ limit: 3, perMs: 1000 }];

test('a window slides: it has room again exactly one span after the request that filled it', () => {
  const admittedAtMs = [0, 400, 500];
  expect(windowWaitMs(perSecond, admittedAtMs, 500)).toBe(500);
  expect(windowWaitMs(perSecond, admittedAtMs, 999)).toBe(1);
  expect(windowWaitMs(perSecond, admittedAtMs, 1000)).toBe(0);
  expect(windowWaitMs(perSecond, [...admittedAtMs, 1000], 1001)).toBe(399);
});

test('every window must have room', () => {
  const both = [...perSecond, { limit: 4, perMs: 60_000 }];
  expect(windowWaitMs(both, [0, 400, 500], 2000)).toBe(0);
  expect(windowWaitMs(both, [0, 400, 500, 2000], 4000)).toBe(56_000);
});

test('without windows or requests there is always room', () => {
  expect(windowWaitMs([], [1, 2, 3], 3)).toBe(0);
  expect(windowWaitMs(perSecond, [], 0)).toBe(0);
});
