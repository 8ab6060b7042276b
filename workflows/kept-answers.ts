// Answers that an earlier map bought for this row: a call with the same column, tool, account and input gets its own one back.
import { CancellationScope } from '@temporalio/workflow';
import type { CallFailureCode } from '../contracts/failures';
import { type Cursor, FIRST_CURSOR, type Json } from '../contracts/outcomes';
import type { EarlierCall } from '../contracts/redrive';
import type { LedgerEntry } from '../contracts/results';
import { reusedReceipt } from '../contracts/shared-call';
import type { CallEnd, CallRequest } from './call-tool';

export interface KeptAnswers {
  /** The end of the call as it was bought, or null when it has to be made. Each answer is given once. */
  take(request: CallRequest): Promise<CallEnd | null>;
  /** Where a call that has to be made begins: its billing goes on from where the earlier map left it. */
  firstCursor(request: CallRequest): Cursor;
}

/** Which input the entry's end belongs to; undefined for a call that has to be made. */
const inputDigestOf = ({ receipt, resolved }: LedgerEntry): string | undefined =>
  receipt?.inputDigest ?? resolved?.inputDigest;

/** A person said that there is no answer: nobody asks the provider again. */
function settledAsFailed({ code = 'RESOLVED_AS_FAILED', message = '', resolved }: LedgerEntry): CallEnd {
  const said = { code: code as CallFailureCode, message, ...(resolved ? { resolved } : {}) };
  return { kind: 'rejected', ...said, cursor: FIRST_CURSOR, repairable: false, charged: 0, holds: 0 };
}

/** `digestOf`: the digest of an input as receipts have it; asked only when there is an answer that may fit. */
export function keptAnswers(earlier: readonly EarlierCall[], digestOf: (input: Json) => Promise<string>): KeptAnswers {
  let left = earlier.filter(({ entry }) => inputDigestOf(entry) !== undefined);
  const isOf = ({ column, tool }: CallRequest, { entry }: EarlierCall) =>
    entry.column === column && entry.tool === tool.tool && entry.account === tool.account;

  return {
    async take(request) {
      if (!left.some((call) => isOf(request, call))) return null;
      // Not cancellable: it takes no time, and what was bought is kept by a row that is being cancelled too.
      const digest = await CancellationScope.nonCancellable(() => digestOf(request.input));
      const found = left.find((call) => isOf(request, call) && inputDigestOf(call.entry) === digest);
      if (!found) return null;
      left = left.filter((call) => call !== found);
      if (!found.entry.receipt) return settledAsFailed(found.entry);
      const receipt = reusedReceipt(found.entry.receipt);
      const end = { receipt, cursor: FIRST_CURSOR, holds: 0 };
      if (found.value === undefined) return { kind: 'missed', ...end };
      return { kind: 'completed', value: found.value, ...end };
    },
    firstCursor(request) {
      const before = earlier.filter((call) => isOf(request, call)).map(({ entry }) => entry);
      const billingNumber = Math.max(0, ...before.map((entry) => entry.billingNumber ?? 0));
      const isOpen = before.some((entry) => entry.billingOpen && (entry.billingNumber ?? 0) === billingNumber);
      return { ...FIRST_CURSOR, billingNumber, ...(isOpen ? { billingState: 'open' as const } : {}) };
    },
  };
}
