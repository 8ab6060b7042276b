// Arithmetic of the cursor that workflows and activities share: what a request that has left changes, whoever hears of it.
import type { Cursor } from './outcomes';

/** The cursor once a request has left. */
export const cursorAfterSend = (cursor: Cursor): Cursor => ({
  ...cursor,
  invocationAttempt: cursor.invocationAttempt + 1,
});

/** The request under this number may have been charged. */
export const mayBeCharged = (cursor: Cursor): Cursor => ({ ...cursor, billingState: 'open' });

/** Number of the request that is about to leave within the transient budget, from 1. */
export const attemptNumber = (cursor: Cursor): number =>
  cursor.invocationAttempt - cursor.retryFromInvocationAttempt + 1;
