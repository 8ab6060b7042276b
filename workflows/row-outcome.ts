// From what a row's calls and program ended with to the one outcome that is written. Pure.
import { worstStatus } from '../contracts/counting';
import type { FailureCode } from '../contracts/failures';
import { dueFor, jobFacts } from '../contracts/job';
import type { Json, StoredValue } from '../contracts/outcomes';
import type { LedgerEntry, RowError, RowOutcome, RowStatus } from '../contracts/results';
import type { CallEnd, CallRequest } from './call-tool';

/** How a row program ended: with cells, cut short by a cancel, or by an error of its own or of a call it did not catch. */
export type ProgramEnd = { kind: 'returned' } | { kind: 'cancelled' } | { kind: 'failed'; error: RowError };

export interface RowState {
  identity: string;
  ordinal: number;
  cells: { [column: string]: Json | StoredValue };
  skipped: string[];
  ledger: LedgerEntry[];
}

const AFTER_SEND = {
  code: 'CANCELLED_AFTER_SEND',
  message: 'cancelled after its request was sent; the billing id is kept',
} as const;

/** The shared call had a request under way for longer than the row could wait. */
const inSharedCall = (sharedCall: string) => ({
  code: 'CANCELLED_AFTER_SEND' as const,
  message: `cancelled while its request may have been under way: ${sharedCall} finishes it, and a redrive has its answer`,
  sharedCall,
});

/** Its worker was lost before anybody heard whether the request had left. */
const MAYBE_SENT = {
  code: 'CANCELLED_AFTER_SEND',
  message: 'cancelled while its request may have been under way; a redrive asks again under the same billing id',
} as const;

const CANCELLED: RowError = { code: 'CANCELLED', message: 'cancelled before it was finished', repairable: true };

/** Where the billing of a call without an answer stands, for a map that makes it anew. */
function billingLeft(end: CallEnd): Pick<LedgerEntry, 'billingNumber' | 'billingOpen'> {
  if (end.kind === 'completed' || end.kind === 'missed') return {};
  const { billingNumber, billingState } = end.cursor;
  const isOpen = billingState === 'open' || end.billing !== undefined;
  return { ...(billingNumber > 0 ? { billingNumber } : {}), ...(isOpen ? { billingOpen: true } : {}) };
}

/** The job that a cancelled call had started, and what its start cost. */
function jobLeft({ job }: Extract<CallEnd, { kind: 'cancelled' }>): Partial<LedgerEntry> {
  if (!job) return {};
  const message = `cancelled while the job ${job.id} ran; a redrive finds it again, unless its provider gave it up`;
  const charged = dueFor(job);
  return { message, job: jobFacts(job), ...(charged > 0 ? { charged } : {}) };
}

/** The ledger's line for a call that has ended. */
export function ledgerEntry(request: CallRequest, end: CallEnd): LedgerEntry {
  const { column, tool } = request;
  const base = {
    column,
    tool: tool.tool,
    provider: tool.provider,
    account: tool.account,
    holds: end.holds,
    attempts: end.cursor.invocationAttempt,
    ...billingLeft(end),
    ...(request.forcedBy === undefined ? {} : { forced: true as const }),
  };
  switch (end.kind) {
    case 'completed':
      return { ...base, status: 'done', receipt: end.receipt };
    case 'missed':
      return { ...base, status: 'missed', receipt: end.receipt };
    case 'unknown':
      return {
        ...base,
        status: 'unknown',
        code: end.code,
        message: end.message,
        billing: end.billing,
        repairable: true,
      };
    case 'cancelled':
      if (end.sharedCall) return { ...base, status: 'cancelled', ...inSharedCall(end.sharedCall), repairable: true };
      if (!end.billing && !base.billingOpen) return { ...base, status: 'cancelled' };
      if (!end.billing) return { ...base, status: 'cancelled', ...MAYBE_SENT, repairable: true };
      return { ...base, status: 'cancelled', ...AFTER_SEND, billing: end.billing, repairable: true, ...jobLeft(end) };
    case 'rejected': {
      const { code, message, repairable } = end;
      const entry: LedgerEntry = { ...base, status: 'failed', code, message, repairable };
      if (end.billing) entry.billing = end.billing;
      if (end.retryAtMs !== undefined) entry.retryAtMs = end.retryAtMs;
      if (end.job) entry.job = jobFacts(end.job);
      if (end.charged > 0) entry.charged = end.charged;
      else if (end.attached || end.job?.isCounted) entry.attached = true;
      if (end.resolved) entry.resolved = end.resolved;
      return entry;
    }
  }
}

/** The row's error as a ledger entry that ended badly tells it. */
function errorOfEntry(entry: LedgerEntry): RowError {
  const error: RowError = {
    code: entry.code ?? 'ROW_PROGRAM_ERROR',
    message: entry.message ?? '',
    column: entry.column,
    repairable: entry.repairable ?? false,
  };
  if (entry.retryAtMs !== undefined) error.retryAtMs = entry.retryAtMs;
  return error;
}

const EXHAUSTED_BEFORE_SENDING: FailureCode[] = ['NEEDS_PERSON'];

/** An account that a person must mend was not asked for this row: the row counts as not run, not as failed. */
const isNotRun = (entry: LedgerEntry): boolean =>
  entry.code !== undefined && EXHAUSTED_BEFORE_SENDING.includes(entry.code) && entry.attempts === 0;

function finishedStatus(state: RowState): RowStatus {
  const statuses: RowStatus[] = state.ledger.map(({ status }) => (status === 'missed' ? 'missed' : 'done'));
  if (statuses.length === 0 && Object.keys(state.cells).length > 0) statuses.push('done');
  return worstStatus(statuses);
}

/**
 * The outcome of a row, by rule 1: an unknown call outranks everything, then a failure, a cancel, and what was not run.
 * A call that failed and was caught by the row program is in the ledger only.
 */
export function rowOutcome(state: RowState, end: ProgramEnd): RowOutcome {
  const unknown = state.ledger.find(({ status }) => status === 'unknown');
  if (unknown) return { ...state, status: 'unknown', error: errorOfEntry(unknown) };
  if (end.kind === 'failed') {
    const refused = state.ledger.find((entry) => entry.column === end.error.column && isNotRun(entry));
    return { ...state, status: refused ? 'not_run' : 'failed', error: end.error };
  }
  if (end.kind === 'cancelled') {
    const sent = state.ledger.find(({ code }) => code === 'CANCELLED_AFTER_SEND');
    return { ...state, status: 'cancelled', error: sent ? errorOfEntry(sent) : CANCELLED };
  }
  return { ...state, status: finishedStatus(state) };
}
