import { InFlight } from '../../../worker/gates/in-flight';
import { rampAfterSuccess } from '../../../worker/gates/ramp';

test('after a reopening one call goes, and each round trip doubles the number up to the normal one', () => {
  const inFlight = new InFlight(0);
  inFlight.closed(1);
  const together: number[] = [];
  for (let round = 0; round < 5; round++) {
    let started = 0;
    for (; inFlight.hasRoom(10); started++) inFlight.start();
    together.push(started);
    for (let call = 0; call < started; call++) {
      inFlight.succeeded(1, 10);
      inFlight.end(1);
    }
  }
  expect(together).toEqual([1, 2, 4, 8, 10]);
  expect(inFlight.ramp).toBeNull();
});

test('a call that hangs since before the closing holds back the concurrency, not the probe', () => {
  const inFlight = new InFlight(0);
  for (let call = 0; call < 9; call++) inFlight.start();
  inFlight.closed(1);
  expect(inFlight.allowed(10)).toBe(10);
  expect(inFlight.hasRoom(10)).toBe(true);
  inFlight.start();
  expect(inFlight.hasRoom(20)).toBe(false);
  inFlight.end(0);
  expect(inFlight.hasRoom(20)).toBe(false);
});

test('a success from before the closing lets nobody in', () => {
  const inFlight = new InFlight(0);
  inFlight.start();
  inFlight.closed(1);
  inFlight.succeeded(0, 10);
  expect(inFlight.ramp).toBe(1);
});

test('an account for one call at a time is back to normal with its probe', () => {
  expect(rampAfterSuccess(1, 1)).toBeNull();
  expect(rampAfterSuccess(null, 1)).toBeNull();
});
