import { attemptNumber, cursorAfterSend, mayBeCharged } from '../../contracts/cursor';

test('a lost dispatch counts as one attempt', () => {
  const cursor = { invocationAttempt: 7, retryFromInvocationAttempt: 4, throttles: 1, billingNumber: 2 };
  expect(attemptNumber(cursor)).toBe(4);
  expect(mayBeCharged(cursorAfterSend(cursor))).toEqual({ ...cursor, invocationAttempt: 8, billingState: 'open' });
});
