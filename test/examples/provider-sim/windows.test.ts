import { type Admitted, windowWaitMs } from '../../../examples/provider-sim/windows';

const perSecond = [{ limit: 3, perMs: 1000 }];
const at = (atMs: number, tokens = 0): Admitted => ({ atMs, tokens });
const requests = (...instants: number[]) => instants.map((atMs) => at(atMs));

test('a window slides: it has room again exactly one span after the request that filled it', () => {
  const admitted = requests(0, 400, 500);
  expect(windowWaitMs(perSecond, admitted, at(500))).toBe(500);
  expect(windowWaitMs(perSecond, admitted, at(999))).toBe(1);
  expect(windowWaitMs(perSecond, admitted, at(1000))).toBe(0);
  expect(windowWaitMs(perSecond, [...admitted, at(1000)], at(1001))).toBe(399);
});

test('every window must have room', () => {
  const both = [...perSecond, { limit: 4, perMs: 60_000 }];
  expect(windowWaitMs(both, requests(0, 400, 500), at(2000))).toBe(0);
  expect(windowWaitMs(both, requests(0, 400, 500, 2000), at(4000))).toBe(56_000);
});

test('without windows or requests there is always room', () => {
  expect(windowWaitMs([], requests(1, 2, 3), at(3))).toBe(0);
  expect(windowWaitMs(perSecond, [], at(0))).toBe(0);
});

test('a window of tokens adds up what the requests use, and never has room for one that is heavier than itself', () => {
  const perMinute = [{ limit: 100, perMs: 60_000, unit: 'tokens' as const }];
  const admitted = [at(0, 60), at(1000, 30)];
  expect(windowWaitMs(perMinute, admitted, at(2000, 10))).toBe(0);
  expect(windowWaitMs(perMinute, admitted, at(2000, 11))).toBe(58_000);
  expect(windowWaitMs(perMinute, admitted, at(2000, 71))).toBe(59_000);
  expect(windowWaitMs(perMinute, admitted, at(61_000, 100))).toBe(0);
  expect(windowWaitMs(perMinute, [], at(0, 101))).toBe(Number.POSITIVE_INFINITY);
});
