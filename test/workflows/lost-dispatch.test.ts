// What a dispatch without an answer means: sent again where that is harmless, unknown where it may have been charged (rule 7).
import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  RetryState,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import type { Billing, Cursor } from '../../contracts/outcomes';
import type { ToolPlan } from '../../contracts/plan';
import { isUnrepeatable } from '../../contracts/repeatable';
import { outcomeOfError } from '../../workflows/lost-dispatch';

const tool = (own: Partial<ToolPlan>): ToolPlan => ({
  tool: 'acme.company',
  version: '1',
  provider: 'acme',
  account: 'default',
  taskQueue: 'sluice.acme.default',
  effect: 'read',
  price: 0.01,
  idempotent: false,
  timeoutMs: 1000,
  ...own,
});
const cursor: Cursor = { invocationAttempt: 3, retryFromInvocationAttempt: 2, throttles: 0, billingNumber: 1 };
const billing: Billing = { billingRequestId: 'b1', idempotencyKey: null, sentAtMs: 5, invocationAttempt: 4 };
const failed = (cause: Error) =>
  new ActivityFailure('Activity task failed', 'dispatch', '1', RetryState.MAXIMUM_ATTEMPTS_REACHED, 'worker', cause);
const lost = (details: unknown) => failed(new TimeoutFailure('timed out', details, TimeoutType.HEARTBEAT));
const outcome = (error: unknown, own: Partial<ToolPlan>, losses = 0, its = cursor) =>
  outcomeOfError(error, { tool: tool(own), cursor: its, losses, nowMs: 1000 });

test.each([
  [{ idempotent: false, price: 0.01, effect: 'read' }, true],
  [{ idempotent: false, price: 0, effect: 'write' }, true],
  [{ idempotent: false, price: 0, effect: 'read' }, false],
  [{ idempotent: true, price: 0.01, effect: 'write' }, false],
] as const)('%j cannot be repeated: %s', (own, expected) => {
  expect(isUnrepeatable(own)).toBe(expected);
});

test('an unrepeatable call with a sending mark is unknown, with the billing id of the mark', () => {
  expect(outcome(lost({ phase: 'sending', billing }), {})).toMatchObject({
    kind: 'unknown',
    code: 'WORKER_LOST',
    billing,
    cursor: { invocationAttempt: 4 },
  });
});

test.each([undefined, { phase: 'waiting' }])(
  'one without a mark (%j) was never sent: again, no attempt used',
  (mark) => {
    expect(outcome(lost(mark), {})).toEqual({
      kind: 'hold',
      reason: 'transient',
      scope: 'row',
      retryAtMs: 1000,
      cursor,
      detail: 'worker lost',
      isLost: true,
    });
  },
);

test.each([{ idempotent: true }, { price: 0 }])(
  '%j is sent again under its billing number, one attempt used',
  (own) => {
    expect(outcome(lost({ phase: 'sending', billing }), own)).toMatchObject({
      kind: 'hold',
      retryAtMs: 1000,
      cursor: { ...cursor, invocationAttempt: 4 },
      billing,
      isLost: true,
    });
  },
);

test('a call under its key that was lost before its mark came is sent again; nobody knows its billing id yet', () => {
  expect(outcome(lost({ phase: 'waiting' }), { idempotent: true })).not.toHaveProperty('billing');
});

test('the fifth attempt that is lost ends the call, repairable and not charged', () => {
  const fourth = { ...cursor, invocationAttempt: 5, retryFromInvocationAttempt: 1 };
  const end = { kind: 'rejected', code: 'WORKER_LOST', repairable: true, charged: 0 };
  expect(outcome(lost(undefined), { price: 0 }, 0, fourth)).toMatchObject(end);
  expect(outcome(lost(undefined), {}, 4)).toMatchObject(end);
  expect(outcome(lost(undefined), {}, 3)).toMatchObject({ kind: 'hold' });
});

test('a cancel before the dispatch began leaves the call where it was', () => {
  expect(outcome(failed(new CancelledFailure('cancelled')), {})).toEqual({ kind: 'withdrawn', cursor });
});

test('a dispatch that threw ends the call with its message', () => {
  const error = failed(ApplicationFailure.create({ message: 'no mark could be written' }));
  expect(outcome(error, {})).toMatchObject({
    kind: 'rejected',
    code: 'TOOL_FAILED',
    message: 'no mark could be written',
  });
});

test('what is no failure of the activity is thrown on', () => {
  const error = new Error('not of an activity');
  expect(() => outcome(error, {})).toThrow(error);
});
