// Counters and statuses: every figure comes from ledger entries, and sums do not depend on their order.
import fc from 'fast-check';
import {
  addCountTable,
  addRowCounts,
  countOutcome,
  noCountTable,
  noRowCounts,
  sumRowCounts,
  worstStatus,
} from '../../contracts/counting';
import type { Receipt } from '../../contracts/outcomes';
import { type LedgerEntry, ROW_STATUSES } from '../../contracts/results';

const entry = (own: Partial<LedgerEntry>): LedgerEntry => ({
  column: 'firm',
  tool: 'acme.company',
  provider: 'acme',
  account: 'default',
  status: 'done',
  holds: 0,
  attempts: 1,
  ...own,
});
const receipt = (how: Receipt['how'], price = 0.1) => ({ how, price }) as Receipt;

test('an answer counts by how it came, and costs only when it was executed', () => {
  const { columns, providers } = countOutcome({
    ledger: [
      entry({ receipt: receipt('executed'), holds: 2 }),
      entry({ receipt: receipt('reused') }),
      entry({ receipt: receipt('attached') }),
    ],
    skipped: [],
  });
  expect(columns.firm).toMatchObject({ executed: 1, reused: 1, attached: 1, held: 2, cost: 0.1 });
  expect(providers['acme.default']).toEqual(columns.firm);
});

test('misses, failures and unknown calls count under their names, and what was charged without a use is bought all the same', () => {
  const { columns } = countOutcome({
    ledger: [
      entry({ status: 'missed', receipt: receipt('executed', 0) }),
      entry({ status: 'failed', charged: 0.3 }),
      entry({ status: 'unknown' }),
      entry({ status: 'cancelled' }),
    ],
    skipped: ['email'],
  });
  expect(columns.firm).toMatchObject({ executed: 2, missed: 1, failed: 1, unknown: 1, cost: 0.3 });
  expect(columns.email).toMatchObject({ skipped: 1, cost: 0 });
});

test('a failed call is a call of its own unless nothing was sent, another row made it, or it is counted as executed', () => {
  const job = { id: 'job-1', startedAtMs: 1, polls: 2 };
  const failed = (own: Partial<LedgerEntry>) => entry({ status: 'failed', ...own });
  const own = countOutcome({ ledger: [failed({}), failed({ job })], skipped: [] });
  expect(own.columns.firm).toMatchObject({ executed: 0, failed: 2 });
  expect(own).not.toHaveProperty('failedBesides');
  const besides = countOutcome({
    ledger: [
      failed({ attempts: 0 }),
      failed({ attached: true }),
      failed({ charged: 0.3 }),
      failed({ charged: 0.3, job }),
    ],
    skipped: [],
  });
  expect(besides).toMatchObject({ failedBesides: 4, columns: { firm: { executed: 2, failed: 4, cost: 0.6 } } });
  expect(addCountTable(addCountTable(noCountTable(), besides), besides)).toMatchObject({ failedBesides: 8 });
});

test('a column named like a member of every object is an ordinary column', () => {
  const { columns } = countOutcome({ ledger: [entry({ column: 'constructor' })], skipped: ['toString'] });
  expect(Object.keys(columns)).toEqual(['constructor', 'toString']);
});

test('money is added without the tail of binary fractions', () => {
  const table = noCountTable();
  for (const price of [0.1, 0.2, 0.7])
    addCountTable(table, countOutcome({ ledger: [entry({ receipt: receipt('executed', price) })], skipped: [] }));
  expect(table.columns.firm?.cost).toBe(1);
});

test('sums are the same whatever the order', () => {
  const anyEntry = fc.record({
    column: fc.constantFrom('a', 'b'),
    provider: fc.constantFrom('p', 'q'),
    holds: fc.nat({ max: 3 }),
    status: fc.constantFrom('done', 'missed', 'failed', 'unknown', 'cancelled'),
    price: fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000),
  });
  const tableOf = (entries: LedgerEntry[]) =>
    entries.reduce((table, one) => addCountTable(table, countOutcome({ ledger: [one], skipped: [] })), noCountTable());
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 20 }), (parts) => {
      const entries = parts.map(({ price, ...own }) => entry({ ...own, receipt: receipt('executed', price) }));
      expect(tableOf(entries.toReversed())).toEqual(tableOf(entries));
      expect(countOutcome({ ledger: entries, skipped: [] })).toEqual(tableOf(entries));
    }),
    { numRuns: 100 },
  );
});

test('row counts add up', () => {
  const rows = addRowCounts({ ...noRowCounts(), done: 2 }, { ...noRowCounts(), done: 1, failed: 4 });
  expect(rows).toMatchObject({ done: 3, failed: 4, missed: 0 });
  expect(sumRowCounts(rows)).toBe(7);
});

test('of several statuses the first of the list wins', () => {
  expect(ROW_STATUSES).toEqual(['unknown', 'failed', 'cancelled', 'not_run', 'done', 'missed', 'skipped']);
  ROW_STATUSES.forEach((status, at) => {
    expect(worstStatus(ROW_STATUSES.slice(at).toReversed())).toBe(status);
  });
  expect(worstStatus([])).toBe('skipped');
});

test('rows that did not finish are counted by code, with the message of the first, cut', () => {
  const failed = (message: string) =>
    countOutcome({ ledger: [], skipped: [], error: { code: 'NOT_FOUND', message, repairable: false } });
  const table = [failed('a'.repeat(500)), failed('b'), countOutcome({ ledger: [], skipped: [] })].reduce(addCountTable);
  expect(table.errors).toEqual({ NOT_FOUND: { rows: 2, message: 'a'.repeat(200) } });
  expect(addCountTable(noCountTable(), noCountTable())).not.toHaveProperty('errors');
});
