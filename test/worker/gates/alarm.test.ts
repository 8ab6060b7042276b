import { Alarm } from '../../../worker/gates/alarm';
import { ManualClock } from './manual-clock';

test('rings once at the instant, and a new instant takes the place of the old one', async () => {
  const clock = new ManualClock();
  let rings = 0;
  const alarm = new Alarm(clock, () => rings++);
  alarm.set(clock.monotonicMs() + 5_000);
  alarm.set(clock.monotonicMs() + 100);
  await clock.advance(10_000);
  expect(rings).toBe(1);
  expect(clock.timersLeft).toBe(0);
});

test('a far instant rings after a minute, an endless one never, and NaN is refused', async () => {
  const clock = new ManualClock();
  let rings = 0;
  const alarm = new Alarm(clock, () => rings++);
  alarm.set(clock.monotonicMs() + 2 ** 40);
  await clock.advance(60_000);
  expect(rings).toBe(1);
  alarm.set(Number.POSITIVE_INFINITY);
  expect(clock.timersLeft).toBe(0);
  expect(() => alarm.set(Number.NaN)).toThrow('got NaN');
});
