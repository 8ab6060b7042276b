// A fault of the worker around a request: what it may have cost is told, and never bought again by itself.
import { faultOutcome } from '../../activities/fault-outcome';
import { FIRST_CURSOR } from '../../contracts/outcomes';

const error = new Error('the disk is full');
const billing = { billingRequestId: 'b1', idempotencyKey: null, sentAtMs: 5, invocationAttempt: 2 };
const paid = { idempotent: false, price: 0.01, effect: 'read' } as const;
const fault = { error, tool: paid, cursor: FIRST_CURSOR, billing };

test('after the mark an unrepeatable call is unknown, with its billing id, and keeps its number', () => {
  expect(faultOutcome(fault)).toEqual({
    kind: 'unknown',
    code: 'TOOL_FAILED',
    message: 'the worker failed after the request was sent: the disk is full',
    cursor: { ...FIRST_CURSOR, invocationAttempt: 2, billingState: 'open' },
    billing,
  });
});

test('one under its key has failed, and may be sent again under the same key', () => {
  const outcome = faultOutcome({ ...fault, tool: { ...paid, idempotent: true } });
  expect(outcome).toMatchObject({ kind: 'rejected', repairable: true, charged: 0, billing });
});

test('what was never sent is an ordinary error', () => {
  expect(() => faultOutcome({ ...fault, billing: null })).toThrow(error);
});
