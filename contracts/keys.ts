// The three identities of a call (design 2, rule 6), in one pure file: result receipt, provider operation, billing request.

/** sha256 of UTF-8 text as 64 lower-case hex digits; handed in, since the sandbox and Node have different ones. */
export type Sha256 = (text: string) => string;

/** Canonical JSON: property names sorted by UTF-16 unit, strings exact, numbers in JavaScript's shortest form, -0 as 0. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value === undefined ? null : value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

/** Parts joined with their lengths, so that ("a","bc") and ("ab","c") differ. */
const join = (parts: readonly string[]): string => parts.map((part) => `${part.length}:${part}`).join(',');

export interface OperationParts {
  tool: string;
  toolVersion: string;
  account: string;
  input: unknown;
}

/** Semantic identity of a call at its provider: tool, version, account and input; the same for every row that asks the same. */
export function providerOperationKey(parts: OperationParts, sha256: Sha256): string {
  return sha256(join(['operation1', parts.tool, parts.toolVersion, parts.account, canonicalJson(parts.input)]));
}

/** Who may reuse an answer: `run` = this row of this map only, told apart by the how-manieth equal call of the row it is. */
export interface RunScope {
  runId: string;
  rowIdentity: string;
  occurrence: number;
}

/** Receipt that every row of every map may reuse. */
export const sharedReceiptKey = (operationKey: string, sha256: Sha256): string =>
  sha256(join(['shared1', operationKey]));

/** The receipt that replaces a stale one: `runId` is the run of the sharedCall workflow that holds it. */
export const refreshedKey = (receiptKey: string, runId: string, sha256: Sha256): string =>
  sha256(join(['refreshed1', receiptKey, runId]));

/** The receipt that a map asked for anew: one for the map and all its redrives, which name the same root run. */
export const forcedKey = (receiptKey: string, rootRunId: string, sha256: Sha256): string =>
  sha256(join(['forced1', receiptKey, rootRunId]));

/** Receipt that one call of one row may reuse. */
export function resultReceiptKey(operationKey: string, scope: RunScope, sha256: Sha256): string {
  return sha256(join(['receipt1', operationKey, scope.runId, scope.rowIdentity, String(scope.occurrence)]));
}

/** What the provider may charge once; `billingNumber` advances only after a definite refusal. 32 hex digits, sent as idempotency key. */
export function billingRequestId(receiptKey: string, billingNumber: number, sha256: Sha256): string {
  return sha256(join(['billing1', receiptKey, String(billingNumber)])).slice(0, 32);
}
