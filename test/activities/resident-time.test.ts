// The 5 s of a call inside its activity: counted on the monotonic clock, from the first local wait.
import { createResidentTime, waitUntil } from '../../activities/resident-time';

function manualClock() {
  let [wall, monotonic] = [1_700_000_000_000, 0];
  return {
    clock: { wallMs: () => wall, monotonicMs: () => monotonic },
    wallMs: () => wall,
    pass(ms: number) {
      wall += ms;
      monotonic += ms;
    },
    stepWall(ms: number) {
      wall += ms;
    },
  };
}

test('the budget is whole until the first wait, whatever time passes', () => {
  const time = manualClock();
  const resident = createResidentTime(time.clock);
  time.pass(60_000);
  expect(resident.leftMs()).toBe(5000);
  expect(resident.fits(time.wallMs() + 5000)).toBe(true);
  expect(resident.fits(time.wallMs() + 5001)).toBe(false);
});

test('it runs from the first wait on, and later waits do not renew it', () => {
  const time = manualClock();
  const resident = createResidentTime(time.clock);
  resident.begin();
  time.pass(3000);
  resident.begin();
  expect(resident.leftMs()).toBe(2000);
  expect(resident.fits(time.wallMs() + 2001)).toBe(false);
});

test('once it is over no wait fits, not even one of no time: zero-second hints cannot spin', () => {
  const time = manualClock();
  const resident = createResidentTime(time.clock);
  resident.begin();
  time.pass(5000);
  expect(resident.fits(time.wallMs())).toBe(false);
  expect(resident.fits(time.wallMs() - 1000)).toBe(false);
});

test('a step of the wall clock gives and takes no time', () => {
  const time = manualClock();
  const resident = createResidentTime(time.clock);
  resident.begin();
  time.pass(1000);
  time.stepWall(3_600_000);
  expect(resident.leftMs()).toBe(4000);
  time.stepWall(-7_200_000);
  expect(resident.leftMs()).toBe(4000);
});

describe('a local wait', () => {
  const { clock } = manualClock();
  const far = clock.wallMs() + 5000;

  test('ends at once when it is aborted, before or during it', async () => {
    expect(await waitUntil(far, clock, AbortSignal.abort())).toBe(true);
    const stop = new AbortController();
    const waiting = waitUntil(far, clock, stop.signal);
    stop.abort();
    expect(await waiting).toBe(true);
  });

  test('ends by itself at its instant', async () => {
    expect(await waitUntil(clock.wallMs() - 1, clock, new AbortController().signal)).toBe(false);
  });
});
