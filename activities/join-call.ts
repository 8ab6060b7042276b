// Brings a row together with the one call that buys its answer: joins it, starts it, or reads the receipt of the one that has ended.
import { cursorAfterSend, mayBeCharged } from '../contracts/cursor';
import { refreshCallId, sharedCallId } from '../contracts/ids';
import {
  billingRequestId,
  forcedKey,
  providerOperationKey,
  refreshedKey,
  resultReceiptKey,
  sharedReceiptKey,
} from '../contracts/keys';
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

interface Known {
  callId: string;
  keys: SharedKeys;
}

/** The call by its name: a forced one is another call for each root run, under the receipt of the same answer; one in a scope is its row's alone. */
function knownAs({ tool: { tool, version, account }, input, forcedBy, scope }: JoinInput): Known {
  const operation = providerOperationKey({ tool, toolVersion: version, account, input }, sha256Hex);
  if (scope) {
    const key = resultReceiptKey(operation, scope, sha256Hex);
    return { callId: sharedCallId(tool, key), keys: { receiptKey: key, billingKey: key } };
  }
  const receiptKey = sharedReceiptKey(operation, sha256Hex);
  const billingKey = forcedBy === undefined ? receiptKey : forcedKey(receiptKey, forcedBy, sha256Hex);
  return { callId: sharedCallId(tool, billingKey), keys: { receiptKey, billingKey } };
}

/** The call that buys anew what `runId` of `first` holds. */
const refreshOf = ({ callId, keys }: Known, runId: string): Known => ({
  callId: refreshCallId(callId, runId),
  keys: { ...keys, billingKey: refreshedKey(keys.billingKey, runId, sha256Hex) },
});

/** An unknown end has no age: it is never bought again by itself, whoever asks for something fresh. */
function isStale(end: SharedEnd, freshFromMs: number | undefined): boolean {
  if (freshFromMs === undefined || (end.kind !== 'completed' && end.kind !== 'missed')) return false;
  return end.receipt.answeredAtMs < freshFromMs;
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

/** Where a call goes on that is started anew: with its answer when it had one, after a refusal under the next billing number, after a doubt under the same. */
function earlierTry(failed: Failed, { tool }: JoinInput, keys: SharedKeys): Partial<SharedCallInput> {
  if (failed.ended) return { ended: failed.ended };
  if (failed.sentAtMs === null || failed.job) return { progress: progressOfNewTry(failed) };
  if (isUnrepeatable(tool)) return { ended: { end: lostEnd(failed, keys), isClaimed: false } };
  return { progress: progressOfNewTry({ cursor: mayBeCharged(cursorAfterSend(failed.cursor)) }) };
}

type EndedStanding = Extract<CallStanding, { kind: 'ended' }>;

/** An unknown end that a person has settled is what they said, or `anew`; an unsettled one stays unknown. */
async function afterSettlement(calls: SharedCallPort, standing: EndedStanding): Promise<EndedStanding | 'anew'> {
  if (standing.end.kind !== 'unknown') return standing;
  const settled = await calls.settled(standing.end.billing.billingRequestId);
  if (!settled) return standing;
  const { end } = settled.settlement;
  return end ? { kind: 'ended', runId: settled.runId, end } : 'anew';
}

/**
 * Where the answer is to be had: behind every stale receipt, and behind an unknown end that a person wants bought anew, stands
 * the call that takes its place.
 */
async function findCall(calls: SharedCallPort, join: JoinInput): Promise<{ known: Known; standing: CallStanding }> {
  const first = knownAs(join);
  let known = first;
  let standing = await calls.look(known.callId);
  while (standing.kind === 'ended') {
    const said = await afterSettlement(calls, standing);
    if (said !== 'anew' && !isStale(said.end, join.freshFromMs)) return { known, standing: said };
    known = refreshOf(first, said === 'anew' ? standing.runId : said.runId);
    standing = await calls.look(known.callId);
  }
  return { known, standing };
}

/** The `joinCall` activity. Safe to repeat: a row joins a call once, however often it asks. */
export function createJoinCall(calls: SharedCallPort): (input: JoinInput) => Promise<JoinAnswer> {
  return async (join) => {
    const { mapId, tool, input, timing, waiter } = join;
    for (;;) {
      const { known, standing } = await findCall(calls, join);
      const { callId, keys } = known;
      if (standing.kind === 'ended') return { kind: 'ended', callId, end: endForOthers(standing.end, 'reused') };
      const start: SharedCallInput = { mapId, tool, input, keys, timing, waiters: [waiter] };
      if (standing.kind === 'failed') Object.assign(start, earlierTry(standing, join, keys));
      if (await calls.attach(callId, standing.kind, start, waiter)) return { kind: 'waiting', callId };
      // It ended between the two: the next look reads its receipt, or where the next try goes on.
    }
  };
}
