// The one outcome of a row: which status wins, and what its error and its ledger say.
import { FIRST_CURSOR, type Receipt } from '../../contracts/outcomes';
import type { ToolPlan } from '../../contracts/plan';
import type { LedgerEntry } from '../../contracts/results';
import type { CallEnd, CallRequest } from '../../workflows/call-tool';
import { ledgerEntry, type ProgramEnd, type RowState, rowOutcome } from '../../workflows/row-outcome';

const billing = { billingRequestId: 'b1', idempotencyKey: null, sentAtMs: 1, invocationAttempt: 1 };
const base = { column: 'firm', tool: 'acme.company', provider: 'acme', account: 'default', holds: 0, attempts: 1 };
const entry = (status: LedgerEntry['status'], own: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...base,
  status,
  ...own,
});
const state = (...ledger: LedgerEntry[]): RowState => ({
  identity: 'k:1',
  ordinal: 0,
  cells: {},
  skipped: [],
  ledger,
});
const returned: ProgramEnd = { kind: 'returned' };
const cancelled: ProgramEnd = { kind: 'cancelled' };
const failed: ProgramEnd = {
  kind: 'failed',
  error: { code: 'ROW_PROGRAM_ERROR', message: 'Error: no', repairable: false },
};
const unknown = entry('unknown', { code: 'WORKER_LOST', message: 'lost', billing, repairable: true });

describe('the status that wins', () => {
  const cases: [name: string, its: RowState, end: ProgramEnd, status: string][] = [
    ['an unknown call, whatever the program did', state(unknown), returned, 'unknown'],
    ['an unknown call over a failure', state(unknown), failed, 'unknown'],
    ['an unknown call over a cancel', state(unknown, entry('cancelled')), cancelled, 'unknown'],
    ['a failure over calls that were cancelled with it', state(entry('done'), entry('cancelled')), failed, 'failed'],
    ['a cancel over answers that had come', state(entry('done')), cancelled, 'cancelled'],
    ['an answer over a miss', state(entry('missed'), entry('done')), returned, 'done'],
    ['a miss', state(entry('missed')), returned, 'missed'],
    ['a failure that the program caught is done', state(entry('failed', { code: 'FORBIDDEN' })), returned, 'done'],
    ['values without any call', { ...state(), cells: { size: 1 } }, returned, 'done'],
    ['nothing at all', { ...state(), skipped: ['firm'] }, returned, 'skipped'],
  ];
  test.each(cases)('%s', (_, its, end, status) => {
    expect(rowOutcome(its, end).status).toBe(status);
  });
});

test('an account that a person must mend leaves the row not run, when nothing was sent', () => {
  const error = { code: 'NEEDS_PERSON', message: 'no credits', column: 'firm', repairable: true } as const;
  const refused = (attempts: number) => state(entry('failed', { code: 'NEEDS_PERSON', attempts }));
  expect(rowOutcome(refused(0), { kind: 'failed', error })).toMatchObject({ status: 'not_run', error });
  expect(rowOutcome(refused(1), { kind: 'failed', error })).toMatchObject({ status: 'failed', error });
});

test('the error of an unknown row names the call that may have been charged', () => {
  expect(rowOutcome(state(entry('done'), unknown), returned).error).toEqual({
    code: 'WORKER_LOST',
    message: 'lost',
    column: 'firm',
    repairable: true,
  });
});

test('a cancelled row says whether its request had been sent', () => {
  const sent = entry('cancelled', { code: 'CANCELLED_AFTER_SEND', billing, repairable: true });
  expect(rowOutcome(state(sent), cancelled).error).toMatchObject({ code: 'CANCELLED_AFTER_SEND', repairable: true });
  expect(rowOutcome(state(entry('cancelled')), cancelled).error).toMatchObject({ code: 'CANCELLED', repairable: true });
});

describe('the line of the ledger', () => {
  const tool: ToolPlan = {
    tool: 'acme.company',
    version: '1',
    provider: 'acme',
    account: 'default',
    taskQueue: 'sluice.acme.default',
    effect: 'read',
    price: 0.01,
    idempotent: true,
    timeoutMs: 1000,
  };
  const request: CallRequest = { column: 'firm', tool, input: null, occurrence: 0 };
  const cursor = { ...FIRST_CURSOR, invocationAttempt: 3 };
  const receipt = { receiptKey: 'r1', price: 0.01, how: 'executed' } as Receipt;
  const line = (end: CallEnd) => ledgerEntry(request, end);
  const counted = { ...base, holds: 2, attempts: 3 };

  test('keeps the receipt of an answer and of a miss', () => {
    const done = line({ kind: 'completed', value: 1, receipt, cursor, holds: 2 });
    expect(done).toEqual({ ...counted, status: 'done', receipt });
    expect(line({ kind: 'missed', receipt, cursor, holds: 2 })).toEqual({ ...counted, status: 'missed', receipt });
  });

  test('keeps the billing id of what may have been charged', () => {
    const rest = { cursor, holds: 2, billing };
    expect(line({ kind: 'unknown', code: 'WORKER_LOST', message: 'lost', ...rest })).toEqual({
      ...counted,
      status: 'unknown',
      code: 'WORKER_LOST',
      message: 'lost',
      billing,
      billingOpen: true,
      repairable: true,
    });
    const given = line({ kind: 'cancelled', ...rest });
    expect(given).toEqual({
      ...counted,
      status: 'cancelled',
      code: 'CANCELLED_AFTER_SEND',
      message: expect.stringContaining('the billing id is kept'),
      billing,
      billingOpen: true,
      repairable: true,
    });
    expect(line({ kind: 'cancelled', cursor, holds: 2 })).toEqual({ ...counted, status: 'cancelled' });
  });

  test('says that a request may have left when its worker was lost before anybody heard', () => {
    const lost = { ...cursor, billingState: 'open' as const };
    const told = line({ kind: 'cancelled', cursor: lost, holds: 2 });
    expect(told).toMatchObject({
      status: 'cancelled',
      code: 'CANCELLED_AFTER_SEND',
      billingOpen: true,
      repairable: true,
    });
    expect(told).not.toHaveProperty('billing');
  });

  test('keeps the instant of a refusal, and a charge for an answer that was none', () => {
    const refusal = { kind: 'rejected', message: 'no', repairable: true, cursor, holds: 2 } as const;
    const late = line({ ...refusal, code: 'QUOTA_EXHAUSTED', retryAtMs: 5, charged: 0 });
    expect(late).toMatchObject({ status: 'failed', code: 'QUOTA_EXHAUSTED', retryAtMs: 5 });
    expect(late).not.toHaveProperty('charged');
    expect(line({ ...refusal, code: 'RESPONSE_INVALID', charged: 0.01, billing })).toMatchObject({
      charged: 0.01,
      billing,
    });
  });
});
