// The story of a row from its steps: what the steps alone cannot tell comes from the ledger, and the other way round.
import type { DispatchStep, RowEvents } from '../../../client/explain/row-events';
import { rowStory } from '../../../client/explain/row-story';
import { SHOWN_STEPS } from '../../../contracts/limits';
import { type CallOutcome, type DispatchInput, FIRST_CURSOR, type Receipt } from '../../../contracts/outcomes';
import type { RowPlan } from '../../../contracts/plan';
import type { LedgerEntry, RowOutcome } from '../../../contracts/results';

const billing = { billingRequestId: 'b1', idempotencyKey: null, sentAtMs: 5, invocationAttempt: 1 };
const call = { column: 'firm', tool: 'acme.company', provider: 'acme', account: 'default' };
const plan = {
  tools: { 'acme.company@default': { effect: 'read', price: 0.01, idempotent: false } },
} as unknown as RowPlan;
const input = { ...call, occurrence: 0, toolVersion: 'v1', input: { domain: 'a.example' }, cursor: FIRST_CURSOR };
const step = (end: DispatchStep['end']): DispatchStep => ({
  queuedAtMs: 0,
  input: input as unknown as DispatchInput,
  end,
});
const hold: CallOutcome = { kind: 'hold', reason: 'throttled', scope: 'account', retryAtMs: 9, cursor: FIRST_CURSOR };
const held = (atMs: number) => step({ atMs, kind: 'outcome', outcome: hold });

const story = (dispatches: DispatchStep[], result: RowEvents['ended']) =>
  rowStory(
    'm',
    {
      row: { identity: 'k:1', ordinal: 0, line: 1, input: {} },
      plan,
      startedAtMs: 0,
      dispatches,
      joins: new Map(),
      ended: result,
    },
    new Map(),
  );
const endedWith = (ledger: LedgerEntry[]): RowEvents['ended'] => ({
  atMs: 10,
  result: { identity: 'k:1', ordinal: 0, status: 'done', cells: {}, skipped: [], ledger } as RowOutcome,
});

test('an answer that a redrive took over is told although nothing was done for it', () => {
  const receipt = { receiptKey: 'r1', toolVersion: 'v1', price: 0.01, how: 'reused', billing } as Receipt;
  const { calls } = story([], endedWith([{ ...call, status: 'done', holds: 0, attempts: 0, receipt }]));
  expect(calls).toMatchObject([{ column: 'firm', state: 'done', receipt, why: expect.stringMatching(/goes on with/) }]);
});

test('of a row whose outcome is too large for history the last step tells how the call ended', () => {
  const stored = { $stored: { ref: 'x', digest: 'x', bytes: 1 } };
  const large = {
    identity: 'k:1',
    ordinal: 0,
    status: 'unknown' as const,
    stored,
    counts: { columns: {}, providers: {} },
  };
  const { calls } = story([step({ atMs: 3, kind: 'lost', mark: billing })], { atMs: 4, result: large });
  expect(calls).toMatchObject([{ state: 'unknown', error: { code: 'WORKER_LOST' }, openBilling: billing }]);
});

test('of a call that was held for weeks the first and the last steps are shown, and the others counted', () => {
  const { calls } = story(
    Array.from({ length: 500 }, (_, at) => held(at)),
    null,
  );
  expect(calls[0]).toMatchObject({ state: 'under way', omittedSteps: 500 - SHOWN_STEPS });
  expect(calls[0]?.steps.map(({ atMs }) => atMs)).toEqual([
    ...Array(20).keys(),
    ...Array.from({ length: 20 }, (_, at) => 480 + at),
  ]);
});
