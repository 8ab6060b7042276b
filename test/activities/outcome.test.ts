// From the end of one request to the next step: cursors, budgets and billing numbers (design 2, rules 5, 6 and 8).
import type { AttemptEnd } from '../../activities/attempt';
import {
  type CallFacts,
  cursorForHistory,
  holdOf,
  type NextStep,
  stepAfterAttempt,
  stepAfterRefusal,
} from '../../activities/outcome';
import { attemptNumber, cursorAfterSend } from '../../contracts/cursor';
import { type Cursor, FIRST_CURSOR } from '../../contracts/outcomes';

const facts: CallFacts = {
  billing: { billingRequestId: 'b1', idempotencyKey: 'b1', sentAtMs: 1, invocationAttempt: 1 },
  receipt: {
    receiptKey: 'r1',
    tool: 'acme.company',
    toolVersion: '1',
    provider: 'acme',
    account: 'default',
    inputDigest: 'd1',
    price: 0.01,
    answeredAtMs: 2,
    how: 'executed',
  },
};
const throttle = (isDefinite = true): AttemptEnd => ({
  kind: 'hold',
  reason: isDefinite ? 'throttled' : 'unavailable',
  scope: 'account',
  retryAtMs: 1000,
  status: isDefinite ? 429 : 503,
  isDefinite,
});
const serverError: AttemptEnd = {
  kind: 'transient',
  code: 'SERVER_ERROR',
  message: 'said 500',
  retryAtMs: 9,
  status: 500,
};
const reset: AttemptEnd = { kind: 'transient', code: 'RESET', message: 'reset', retryAtMs: 9 };
const refusal = (status: number): AttemptEnd => ({
  kind: 'rejected',
  code: 'INVALID_REQUEST',
  message: 'no',
  scope: 'row',
  needsPerson: false,
  repairable: false,
  status,
  charged: 0,
});

const cursorOf = (step: NextStep): Cursor => (step.kind === 'wait' ? step.cursor : step.outcome.cursor);
const after = (end: AttemptEnd, cursor: Cursor) => stepAfterAttempt(end, cursorAfterSend(cursor), facts);
const cursorAfter = (...ends: AttemptEnd[]): Cursor =>
  ends.reduce((cursor, end) => cursorOf(after(end, cursor)), FIRST_CURSOR);

describe('the billing number', () => {
  const numberAfter = (...ends: AttemptEnd[]) => cursorForHistory(cursorAfter(...ends)).billingNumber;

  test('stays through server errors and lost connections: the same request may have been charged', () => {
    expect(numberAfter(serverError, reset, throttle(false), reset)).toBe(0);
  });

  test('advances after a 429, which released what it had reserved, and in history alone', () => {
    expect(cursorAfter(throttle(), throttle()).billingNumber).toBe(0);
    expect(numberAfter(throttle(), throttle())).toBe(1);
    expect(cursorForHistory(cursorForHistory(cursorAfter(throttle()))).billingNumber).toBe(1);
  });

  test('stays when the 429 comes after a request that may have been charged: it released its own reservation, not that one', () => {
    expect(numberAfter(reset, throttle())).toBe(0);
    expect(numberAfter(throttle(), serverError, throttle())).toBe(0);
    expect(numberAfter(serverError, refusal(404))).toBe(0);
  });

  test('advances after a final 4xx, for whoever starts the call anew, and not after another end', () => {
    expect(numberAfter(refusal(404))).toBe(1);
    expect(numberAfter(refusal(200))).toBe(0);
    expect(numberAfter(refusal(500))).toBe(0);
  });
});

describe('the transient budget', () => {
  test('is five requests: four waits, then RETRIES_EXHAUSTED with the billing id', () => {
    let cursor = FIRST_CURSOR;
    const steps = Array.from({ length: 5 }, () => {
      const step = after(serverError, cursor);
      cursor = cursorOf(step);
      return step;
    });
    expect(steps.map(({ kind }) => kind)).toEqual(['wait', 'wait', 'wait', 'wait', 'end']);
    expect(steps[4]).toMatchObject({
      outcome: {
        kind: 'rejected',
        code: 'RETRIES_EXHAUSTED',
        message: 'said 500; gave up after 5 attempts',
        repairable: true,
        billing: facts.billing,
        status: 500,
        cursor: { invocationAttempt: 5, retryFromInvocationAttempt: 0, billingNumber: 0 },
      },
    });
  });

  test('is not used by throttles, which are counted on their own and in a row', () => {
    const cursor = cursorAfter(serverError, throttle(), throttle(false), serverError, throttle());
    expect(cursor).toMatchObject({ invocationAttempt: 5, retryFromInvocationAttempt: 3, throttles: 1 });
    expect(attemptNumber(cursor)).toBe(3);
    expect(cursorAfter(throttle(), throttle(), throttle()).throttles).toBe(3);
  });
});

test('an answer completes with the receipt and its own billing id', () => {
  const step = after({ kind: 'value', value: { a: 1 }, status: 200, providerRequestId: 'p1' }, FIRST_CURSOR);
  expect(step).toEqual({
    kind: 'end',
    outcome: {
      kind: 'completed',
      value: { a: 1 },
      receipt: { ...facts.receipt, billing: { ...facts.billing, providerRequestId: 'p1' }, status: 200 },
      cursor: cursorAfterSend(FIRST_CURSOR),
    },
  });
});

test('a stored value travels instead of a large one', () => {
  const stored = { $stored: { ref: 'values/1', digest: 'd', bytes: 300_000 } };
  const step = stepAfterAttempt({ kind: 'value', value: 'large', status: 200 }, FIRST_CURSOR, facts, stored);
  expect(step).toMatchObject({ outcome: { kind: 'completed', value: stored } });
});

test('a documented miss is an answer that costs nothing', () => {
  const step = after({ kind: 'missed', status: 404 }, FIRST_CURSOR);
  expect(step).toMatchObject({ outcome: { kind: 'missed', receipt: { price: 0, status: 404 } } });
});

test('what may have been charged is unknown, with its billing id', () => {
  const step = after({ kind: 'ambiguous', code: 'AMBIGUOUS_OUTCOME', message: 'reset' }, FIRST_CURSOR);
  expect(step).toMatchObject({ outcome: { kind: 'unknown', code: 'AMBIGUOUS_OUTCOME', billing: facts.billing } });
});

test('given up after it was sent: its billing id is told, and its number stays', () => {
  const cursor = { ...cursorAfterSend(FIRST_CURSOR), billingState: 'open' };
  const outcome = { kind: 'withdrawn', cursor, billing: facts.billing };
  expect(after({ kind: 'aborted', sent: true }, FIRST_CURSOR)).toEqual({ kind: 'end', outcome });
});

test('given up before it was sent: nothing to tell', () => {
  const outcome = { kind: 'withdrawn', cursor: cursorAfterSend(FIRST_CURSOR) };
  expect(after({ kind: 'aborted', sent: false }, FIRST_CURSOR)).toEqual({ kind: 'end', outcome });
});

test('a wait tells the billing id of the request before it, unless that was refused', () => {
  expect(after(reset, FIRST_CURSOR)).toMatchObject({ kind: 'wait', billing: facts.billing });
  expect(after(throttle(false), FIRST_CURSOR)).toMatchObject({ kind: 'wait', billing: facts.billing });
  expect(after(throttle(), FIRST_CURSOR)).not.toHaveProperty('billing');
});

describe('a gate without permit', () => {
  test('makes the call wait without using any budget', () => {
    const step = stepAfterRefusal({ kind: 'wait', reason: 'gate_closed', retryAtMs: 5000 }, FIRST_CURSOR);
    const wait = { reason: 'gate_closed', scope: 'account', retryAtMs: 5000, cursor: FIRST_CURSOR };
    expect(step).toEqual({ kind: 'wait', ...wait });
    expect(holdOf(step as Extract<NextStep, { kind: 'wait' }>)).toEqual({ kind: 'hold', ...wait });
  });

  test('ends the call when the account is exhausted, repairable and with its instant', () => {
    const exhausted = { kind: 'exhausted', code: 'PROVIDER_EXHAUSTED', message: 'since 24 h' } as const;
    const ended = { kind: 'rejected', code: 'PROVIDER_EXHAUSTED', repairable: true, charged: 0, cursor: FIRST_CURSOR };
    expect(stepAfterRefusal({ ...exhausted, retryAtMs: 7 }, FIRST_CURSOR)).toMatchObject({
      outcome: { ...ended, retryAtMs: 7 },
    });
    const step = stepAfterRefusal({ ...exhausted, retryAtMs: null }, FIRST_CURSOR);
    expect(step).toMatchObject({ outcome: ended });
    expect(step).not.toHaveProperty('outcome.retryAtMs');
  });
});
