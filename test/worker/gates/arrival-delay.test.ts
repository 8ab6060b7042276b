import { COLD_ANSWERS, MAX_ARRIVAL_DELAY_MS } from '../../../contracts/limits';
import { ArrivalDelay } from '../../../worker/gates/arrival-delay';
import { Pacing } from '../../../worker/gates/pacing';

/** A bound that has seen its first answers, all of the same round trip. */
function warm(roundTripMs: number): ArrivalDelay {
  const delay = new ArrivalDelay();
  for (let answer = 0; answer < COLD_ANSWERS; answer++) delay.after(roundTripMs);
  return delay;
}

test('while connections are being opened every request may be late', () => {
  const delay = new ArrivalDelay();
  const first = Array.from({ length: COLD_ANSWERS }, () => delay.after(100));
  expect(new Set(first)).toEqual(new Set([MAX_ARRIVAL_DELAY_MS]));
});

test('later a request is as late as its answer took longer than the fastest, up to a bound', () => {
  const delay = warm(100);
  expect([delay.after(100), delay.after(117), delay.after(5000), delay.after(90), delay.after(100)]).toEqual([
    0,
    17,
    MAX_ARRIVAL_DELAY_MS,
    0,
    10,
  ]);
});

test('a call that arrived late keeps its window full for as much longer', () => {
  const pacing = new Pacing([{ limit: 1, perMs: 1000 }]);
  pacing.permit(0, 1);
  const [entry] = pacing.send(0, 1);
  const usualMs = pacing.fitsAtMs(1, 1);
  (entry as { lastMs: number }).lastMs += 30;
  expect(pacing.fitsAtMs(1, 1)).toBe(Math.max(usualMs, 30 + 1010));
});
