// Under which keys a call is known: its receipt, and the billing request that the provider may charge once.
import { billingRequestId, canonicalJson, providerOperationKey, resultReceiptKey } from '../contracts/keys';
import type { Billing, CallIdentity, Cursor, Json } from '../contracts/outcomes';
import type { Dispatch } from './dispatch-state';
import type { CallFacts } from './outcome';
import { sha256Hex } from './store/json-lines';

/** The same for every dispatch of one logical call, whichever worker sends it. */
export function receiptKeyOf({
  shared,
  tool,
  toolVersion,
  account,
  input,
  admittedByRunId,
  rowIdentity,
  occurrence,
}: CallIdentity): string {
  if (shared) return shared.receiptKey;
  const operation = providerOperationKey({ tool, toolVersion, account, input }, sha256Hex);
  return resultReceiptKey(operation, { runId: admittedByRunId, rowIdentity, occurrence }, sha256Hex);
}

/** Billing request of the next send; `cursor` already counts it. */
export function billingOf({ input, tool, deps }: Dispatch, cursor: Cursor): Billing {
  if (input.job) return input.job.billing;
  const id = billingRequestId(input.shared?.billingKey ?? receiptKeyOf(input), cursor.billingNumber, sha256Hex);
  return {
    billingRequestId: id,
    idempotencyKey: tool.idempotent ? id : null,
    sentAtMs: deps.clock.wallMs(),
    invocationAttempt: cursor.invocationAttempt,
  };
}

/** Which input an answer belongs to, as its receipt has it. */
export const inputDigest = (input: Json): string => sha256Hex(canonicalJson(input));

/** The receipt of an answer that has just arrived. */
export function receiptOf({ input, tool, price, deps }: Dispatch): CallFacts['receipt'] {
  return {
    receiptKey: receiptKeyOf(input),
    tool: tool.name,
    toolVersion: input.toolVersion,
    provider: tool.provider,
    account: input.account,
    inputDigest: inputDigest(input.input),
    price,
    answeredAtMs: deps.clock.wallMs(),
    how: input.job?.isCounted ? 'reused' : 'executed',
  };
}
