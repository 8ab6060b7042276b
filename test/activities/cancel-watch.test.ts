// A request under way whose activity is cancelled: what the row answers decides whether it may end.
import { type AskRow, watchCancel } from '../../activities/cancel-watch';

type Control = Awaited<ReturnType<AskRow>>;

/** Watches with answers of the row in order, the last one again and again. `pass` moves the monotonic clock. */
function watching(answers: Control[], { graceMs = 0, isFinal = false } = {}) {
  let monotonic = 0;
  let asked = 0;
  const cancel = new AbortController();
  const askRow: AskRow = async () => answers[Math.min(asked++, answers.length - 1)] as Control;
  const clock = { wallMs: () => 0, monotonicMs: () => monotonic };
  const watch = watchCancel({ cancelled: cancel.signal, graceMs, askRow, isFinal: () => isFinal, clock });
  const settled = async (ms: number) => {
    monotonic += ms;
    await jest.advanceTimersByTimeAsync(ms);
  };
  return { cancel: () => cancel.abort(), pass: settled, watch, asked: () => asked };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('nobody is asked while nothing is cancelled', async () => {
  const { pass, watch, asked } = watching(['cancel']);
  await pass(60_000);
  expect([asked(), watch.abort.aborted]).toEqual([0, false]);
});

test('a free read of a cancelled row is given up at once', async () => {
  const { cancel, pass, watch } = watching(['cancel']);
  cancel();
  await pass(0);
  expect(watch.abort.aborted).toBe(true);
});

test('anything else gets its grace, counted from the cancel', async () => {
  const { cancel, pass, watch } = watching(['cancel'], { graceMs: 5000 });
  cancel();
  for (const [ms, aborted] of [
    [0, false],
    [2000, false],
    [2000, false],
    [999, false],
    [1, true],
  ] as const) {
    await pass(ms);
    expect(watch.abort.aborted).toBe(aborted);
  }
});

test.each(['finish', 'run'] as const)('as long as the row says %s the request may end', async (control) => {
  const { cancel, pass, watch } = watching([control]);
  cancel();
  await pass(600_000);
  expect(watch.abort.aborted).toBe(false);
});

test('a cancel that follows a pause is heard at the next look', async () => {
  const { cancel, pass, watch } = watching(['finish', 'cancel']);
  cancel();
  await pass(0);
  await pass(1999);
  expect(watch.abort.aborted).toBe(false);
  await pass(1);
  expect(watch.abort.aborted).toBe(true);
});

test('when nobody waits for the activity any more the row is not asked, and there is no grace', async () => {
  const { cancel, pass, watch, asked } = watching(['finish'], { graceMs: 5000, isFinal: true });
  cancel();
  await pass(0);
  expect([asked(), watch.abort.aborted]).toEqual([0, true]);
});

test('a request that has ended is not given up afterwards, and asks no more', async () => {
  const { cancel, pass, watch, asked } = watching(['finish', 'cancel']);
  cancel();
  await pass(0);
  watch.end();
  await pass(10_000);
  expect([asked(), watch.abort.aborted]).toEqual([1, false]);
  expect(jest.getTimerCount()).toBe(0);
});
