import type { LedgerEntry } from '../../../examples/provider-sim/ledger';
import {
  busiestWindow,
  duplicateCharges,
  parseLedger,
  repeatedCharges,
  summarizeLedger,
} from '../../../examples/provider-sim/ledger-reading';

const entry = (n: number, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ n, provider: 'acme', arrivedAtMs: n * 100, arrivedAtWallMs: n * 100, method: 'GET', path: '/acme/v1/company' },
  ...{ input: { domain: `${n}.example` }, idempotencyKey: `k${n}`, inFlight: 0, admitted: true, verdict: 'answered' },
  ...{ status: 200, charged: true, price: 0.1, billingKey: `key:acme:k${n}` },
  ...change,
});

test('a billing key that was charged twice is a duplicate, one that was sent twice and charged once is not', () => {
  const replay = { verdict: 'replayed', charged: false, price: 0 } as const;
  const entries = [
    entry(1),
    entry(2, { billingKey: 'key:acme:k1' }),
    entry(3),
    entry(4, { ...replay, billingKey: 'key:acme:k3' }),
  ];
  expect(duplicateCharges(entries).map((group) => group.map(({ n }) => n))).toEqual([[1, 2]]);
});

test('one input that was charged under two keys was paid twice, though no key was', () => {
  const input = { domain: 'same.example' };
  const entries = [entry(1, { input }), entry(2, { input }), entry(3, { input, charged: false, price: 0 })];
  expect(duplicateCharges(entries)).toEqual([]);
  expect(repeatedCharges(entries).map((group) => group.map(({ n }) => n))).toEqual([[1, 2]]);
});

test('the busiest window is half open: requests exactly one span apart are in different ones', () => {
  const at = (...instants: number[]) => instants.map((arrivedAtMs, n) => entry(n, { arrivedAtMs }));
  expect(busiestWindow(at(0, 999, 1000, 1998), 1000)).toBe(3);
  expect(busiestWindow(at(0, 1000, 2000), 1000)).toBe(1);
  expect(busiestWindow([], 1000)).toBe(0);
});

test('a summary counts requests, charges, refusals of each closing, flight and windows for each provider', () => {
  const refused = { admitted: false, charged: false, price: 0, status: 429 };
  const entries = [
    entry(1, { inFlight: 0 }),
    entry(2, { inFlight: 1 }),
    entry(3, { ...refused, verdict: 'closed', closing: 1, inFlight: 2 }),
    entry(4, { ...refused, verdict: 'closed', closing: 2 }),
    entry(5, { ...refused, verdict: 'over_window' }),
    entry(6, { provider: 'beacon', billingKey: 'key:acme:k1' }),
  ];
  const summary = summarizeLedger(entries, { acme: [{ limit: 2, perMs: 350 }] });
  expect(summary).toMatchObject({ requests: 6, charges: 3, cost: 0.3, duplicateCharges: 1 });
  expect(summary.providers.acme).toEqual({
    requests: 5,
    admitted: 2,
    charges: 2,
    cost: 0.2,
    duplicateCharges: 0,
    repeatedCharges: 0,
    verdicts: { answered: 2, closed: 2, over_window: 1 },
    throttles: 3,
    closings: [
      { closing: 1, refusals: 1 },
      { closing: 2, refusals: 1 },
    ],
    maxInFlight: 2,
    windows: [{ limit: 2, perMs: 350, maxAdmitted: 2, maxArrived: 4 }],
  });
});

test('a ledger file reads back as it was written', () => {
  const entries = [entry(1), entry(2, { input: { domain: 'straße.example' } })];
  expect(parseLedger(entries.map((one) => `${JSON.stringify(one)}\n`).join(''))).toEqual(entries);
});
