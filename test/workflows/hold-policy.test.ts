// How long a hold lasts, and the budgets that end holding.
import { FAR_MS } from '../../activities/http/retry-at';
import { FIRST_CURSOR, type HoldReason } from '../../contracts/outcomes';
import { endOfHolding, type Hold, holdDurationMs, holdMemoryAfter, onWorkflowClock } from '../../workflows/hold-policy';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;
const hold = (reason: HoldReason, waitMs: number, throttles = 0): Hold => ({
  kind: 'hold',
  reason,
  scope: 'account',
  retryAtMs: NOW + waitMs,
  cursor: { ...FIRST_CURSOR, throttles },
  status: 429,
});
const fresh = { throttledSinceMs: null };
const THROTTLES: HoldReason[] = ['throttled', 'quota', 'unavailable', 'row_locked'];
const FREE: HoldReason[] = ['gate_closed', 'pacing', 'worker_shutdown', 'transient'];

test.each(THROTTLES)('the 50th answer %s in a row ends the call and keeps its instant', (reason) => {
  expect(endOfHolding(hold(reason, 1000, 49), fresh, NOW)).toBeNull();
  expect(endOfHolding(hold(reason, 1000, 50), fresh, NOW)).toMatchObject({
    kind: 'rejected',
    code: 'RATE_LIMIT_RETRIES_EXHAUSTED',
    message: 'refused 50 times in a row',
    retryAtMs: NOW + 1000,
    repairable: true,
    charged: 0,
    status: 429,
  });
});

test.each(FREE)('%s uses no budget of throttles, however often and however long', (reason) => {
  expect(endOfHolding(hold(reason, 1000, 99), { throttledSinceMs: NOW - 48 * HOUR }, NOW)).toBeNull();
});

test('a call that is refused for 24 hours ends', () => {
  const memory = holdMemoryAfter(fresh, hold('throttled', 0), NOW - 24 * HOUR - 1);
  expect(endOfHolding(hold('throttled', 1000), memory, NOW)).toMatchObject({ code: 'RATE_LIMIT_RETRIES_EXHAUSTED' });
  expect(endOfHolding(hold('throttled', 1000), { throttledSinceMs: NOW - 24 * HOUR }, NOW)).toBeNull();
});

test('the first throttle starts the memory, later ones and other waits leave it', () => {
  expect(holdMemoryAfter(fresh, hold('gate_closed', 0), NOW)).toEqual(fresh);
  expect(holdMemoryAfter({ throttledSinceMs: 5 }, hold('quota', 0), NOW)).toEqual({ throttledSinceMs: 5 });
});

test.each([...THROTTLES, ...FREE])(
  '24 hours for %s and the jitter on top are held, a longer wait is told with its instant',
  (reason) => {
    expect(endOfHolding(hold(reason, 24 * HOUR + 30_000), fresh, NOW)).toBeNull();
    expect(endOfHolding(hold(reason, 24 * HOUR + 30_001), fresh, NOW)).toMatchObject({
      code: 'RATE_LIMIT_WAIT_TOO_LONG',
      retryAtMs: NOW + 24 * HOUR + 30_001,
    });
  },
);

test('a hold lasts until its instant, and one that has passed lasts no time', () => {
  expect(holdDurationMs({ retryAtMs: NOW + 20_000.2 }, NOW)).toBe(20_001);
  expect(holdDurationMs({ retryAtMs: NOW - 5 }, NOW)).toBe(0);
  expect(holdDurationMs({ retryAtMs: Number.NaN }, NOW)).toBe(0);
});

test('an account that is given up after 30 days is waited for as long, one after an hour no longer', () => {
  const month = 30 * 24 * HOUR;
  expect(endOfHolding(hold('quota', 48 * HOUR), { throttledSinceMs: NOW - 48 * HOUR }, NOW, month)).toBeNull();
  expect(endOfHolding(hold('quota', 2 * HOUR), fresh, NOW, HOUR)).toMatchObject({
    code: 'RATE_LIMIT_WAIT_TOO_LONG',
    retryAtMs: NOW + 2 * HOUR,
    repairable: true,
  });
  const refused = endOfHolding(hold('throttled', 1000), { throttledSinceMs: NOW - HOUR - 1 }, NOW, HOUR);
  expect(refused).toMatchObject({ code: 'RATE_LIMIT_RETRIES_EXHAUSTED' });
});

test('the longest wait that is ever read ends the call with an instant that can be written, whatever the clock of the workflow', () => {
  const laterMs = NOW + 48 * HOUR;
  const far = onWorkflowClock({ ...hold('throttled', 0), remainingMs: FAR_MS - NOW }, laterMs);
  const ended = endOfHolding(far, fresh, laterMs);
  expect(ended?.code).toBe('RATE_LIMIT_WAIT_TOO_LONG');
  expect(() => new Date(ended?.retryAtMs ?? Number.NaN).toISOString()).not.toThrow();
});

test('the clock of the worker does not count: what is left is counted from the workflow’s own', () => {
  const ofWorker = { ...hold('throttled', 5 * HOUR), remainingMs: 6000 };
  expect(holdDurationMs(onWorkflowClock(ofWorker, NOW), NOW)).toBe(6000);
  expect(onWorkflowClock(hold('throttled', 6000), NOW)).toEqual(hold('throttled', 6000)); // of an earlier version
});
