// Brings a row together with the one call that buys its answer: joins it, starts it, or reads the receipt of the one that has ended.
import { cursorAfterSend, mayBeCharged } from '../contracts/cursor';
import { sharedCallId } from '../contracts/ids';
import { billingRequestId, providerOperationKey, sharedReceiptKey } from '../contracts/keys';
import { isUnrepeatable } from '../contracts/repeatable';
import {
  endForOthers,
  type JoinAnswer,
  type JoinInput,
  progressOfNewTry,
  type SharedCallInput,
  type SharedEnd,
} from '../contracts/shared-call';
import type { SharedKeys } from '../contracts/shared-keys';
import type { CallStanding, SharedCallPort } from './shared-call-port';
import { sha256Hex } from './store/json-lines';

function keysOf({ tool: { tool, version, account }, input }: JoinInput): SharedKeys {
  const operation = providerOperationKey({ tool, toolVersion: version, account, input }, sha256Hex);
  const receiptKey = sharedReceiptKey(operation, sha256Hex);
  return { receiptKey, billingKey: receiptKey };
}

type Failed = Extract<CallStanding, { kind: 'failed' }>;

/** What nobody may send again although it has no answer: the call was ended by hand while its request may have been under way. */
function lostEnd({ cursor, sentAtMs }: Failed, keys: SharedKeys): SharedEnd {
  const sent = mayBeCharged(cursorAfterSend(cursor));
  return {
    kind: 'unknown',
    code: 'WORKER_LOST',
    message: 'the shared call was ended by hand while its request may have been under way',
    cursor: sent,
    billing: {
      billingRequestId: billingRequestId(keys.billingKey, cursor.billingNumber, sha256Hex),
      idempotencyKey: null,
      sentAtMs: sentAtMs ?? 0,
      invocationAttempt: sent.invocationAttempt,
    },
    holds: 0,
  };
}

/** Where a call goes on that is bought anew: after a refusal under the next billing number, after a doubt under the same. */
function earlierTry(failed: Failed, { tool }: JoinInput, keys: SharedKeys): Partial<SharedCallInput> {
  if (failed.sentAtMs === null) return { progress: progressOfNewTry(failed.cursor) };
  if (isUnrepeatable(tool)) return { ended: { end: lostEnd(failed, keys), isClaimed: false } };
  return { progress: progressOfNewTry(mayBeCharged(cursorAfterSend(failed.cursor))) };
}

/** The `joinCall` activity. Safe to repeat: a row joins a call once, however often it asks. */
export function createJoinCall(calls: SharedCallPort): (input: JoinInput) => Promise<JoinAnswer> {
  return async (join) => {
    const { mapId, tool, input, timing, waiter } = join;
    const keys = keysOf(join);
    const callId = sharedCallId(tool.tool, keys.billingKey);
    for (;;) {
      const standing = await calls.look(callId);
      if (standing.kind === 'ended') return { kind: 'ended', callId, end: endForOthers(standing.end, 'reused') };
      const start: SharedCallInput = { mapId, tool, input, keys, timing, waiters: [waiter] };
      if (standing.kind === 'failed') Object.assign(start, earlierTry(standing, join, keys));
      if (await calls.attach(callId, start, waiter)) return { kind: 'waiting', callId };
      // It completed between the two: the next look reads its receipt.
    }
  };
}
