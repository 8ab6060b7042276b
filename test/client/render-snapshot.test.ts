// A look at a running map as a screen and as one line.
import { clock } from '../../client/format';
import type { ProviderActivity } from '../../client/provider-activity';
import { changeKey, snapshotLine, snapshotLines } from '../../client/render-snapshot';
import { counters, gateStatus, gateWorker, NOW_MS, snapshot } from './fixtures/figures';

const UNTIL = NOW_MS + 90_000;
const at = (ms: number): string => clock(ms, NOW_MS);

const provider = (some: Partial<ProviderActivity>): ProviderActivity => ({
  provider: 'beacon.default',
  closedUntilMs: null,
  reason: null,
  held: 0,
  queued: 0,
  paused: 0,
  queuedSinceMs: null,
  heldAlone: 0,
  aloneReasons: [],
  firstAloneAtMs: null,
  served: true,
  gate: null,
  waiting: 0,
  ...some,
});

const closed = provider({
  closedUntilMs: UNTIL,
  reason: 'throttled',
  held: 41,
  queued: 12,
  waiting: 53,
  queuedSinceMs: NOW_MS - 34_000,
});

test('the screen shows rows, rate, providers and columns', () => {
  const lines = snapshotLines(
    snapshot({
      rowsPerSecond: 12.34,
      restMs: 14_000,
      providers: [provider({ provider: 'acme.default', queued: 3, queuedSinceMs: NOW_MS - 2_000 }), closed],
      counts: {
        columns: { firm: counters({ executed: 120, held: 41, missed: 3, failed: 1, cost: 2.4 }) },
        providers: {},
      },
      warnings: ['2 duplicate keys differ'],
    }),
  );
  expect(lines).toEqual([
    'map companies-june  running  started 1m 23s ago',
    'rows  done 120 · missed 3 · failed 1 · unknown 0 · open 41 · parked 12 · not started 123 · of 300',
    'rate  12.3 rows/s · about 14s left',
    'providers',
    '  acme.default    nothing held · 3 queued, longest 2s',
    `  beacon.default  closed until ${at(UNTIL)} (throttled) · 53 rows wait`,
    '  column  executed  reused  attached  held  missed  failed  unknown  skipped  cost',
    '  firm         120       0         0    41       3       1        0        0   2.4',
    'warning  2 duplicate keys differ',
  ]);
});

test('what is known of some rows only is said to be that', () => {
  const lines = snapshotLines(snapshot({ exact: false, providers: [closed], asked: { answered: 41, waiting: 50 } }));
  expect(lines).toContain('providers, as far as 41 of 50 waiting rows told');
  expect(lines).toContain('rate  as of the last reports of the pages');
});

test('a map without a total says that it is not counted yet', () => {
  expect(snapshotLines(snapshot({ state: 'admitting', total: null }))[1]).toBe('rows  not counted yet');
});

test('rows that hold for themselves and a provider without a worker are told apart', () => {
  const alone = provider({
    held: 3,
    waiting: 3,
    heldAlone: 2,
    aloneReasons: ['tool_unknown'],
    firstAloneAtMs: UNTIL,
    served: false,
  });
  expect(snapshotLines(snapshot({ providers: [alone] })).at(-1)).toBe(
    `  beacon.default  NO WORKER serves it (./temporal-dev.sh worker) · 1 row waits · 2 rows hold alone (tool_unknown), first until ${at(UNTIL)}`,
  );
});

test('one line leaves out the providers that no row waits for', () => {
  const line = snapshotLine(snapshot({ providers: [provider({ provider: 'acme.default' }), closed] }));
  expect(line).toBe(
    `${at(NOW_MS)} running · done 120 · missed 3 · failed 1 · unknown 0 · open 41 · parked 12 · not started 123 · of 300 · beacon.default closed until ${at(UNTIL)} (throttled), 53 rows wait`,
  );
});

test('the clock and the rate alone are no change', () => {
  const before = changeKey(snapshot());
  expect(changeKey(snapshot({ takenAtMs: NOW_MS + 1000, rowsPerSecond: 3, restMs: 9 }))).toBe(before);
  expect(changeKey(snapshot({ open: 40 }))).not.toBe(before);
  const failure = { workflowId: 'm', others: 0, activity: 'finishMap', message: 'no space left', nextAtMs: null };
  const failing = changeKey(snapshot({ pending: [{ ...failure, attempt: 2 }] }));
  expect(failing).not.toBe(before);
  expect(changeKey(snapshot({ pending: [{ ...failure, attempt: 3 }] }))).toBe(failing);
});

const gate = (some: Parameters<typeof gateStatus>[0]) => ({ kind: 'status' as const, status: gateStatus(some) });
const lastLine = (some: Partial<ProviderActivity>) => snapshotLines(snapshot({ providers: [provider(some)] })).at(-1);

test('an open gate shows what is in use of its limit, a closed one by whom it was refused, a paused one the way back', () => {
  expect(lastLine({ gate: gate({ workers: [gateWorker(), gateWorker()] }) })).toBe(
    '  beacon.default  open · 8 of 10 in use by 2 workers',
  );
  const refused = { closedUntilMs: UNTIL, reason: 'throttled', status: 429 } as const;
  expect(lastLine({ closedUntilMs: UNTIL, waiting: 41, gate: gate(refused) })).toBe(
    `  beacon.default  closed until ${at(UNTIL)} (429 throttled) · 41 rows wait`,
  );
  expect(lastLine({ waiting: 1, gate: gate({ paused: true }) })).toBe(
    '  beacon.default  PAUSED by a person (sluice gate resume beacon.default) · 1 row waits',
  );
});

test('a worker whose lease has ended without being given back is told to be silent', () => {
  const killed = gateWorker({ leaseEndsAtMs: NOW_MS - 7000 });
  expect(lastLine({ gate: gate({ workers: [killed] }) })).toBe('  beacon.default  open · 1 worker SILENT for 7s');
});

test('a gate that was never used, and one that no worker answers for, are no open ones', () => {
  expect(lastLine({ gate: { kind: 'none' } })).toBe('  beacon.default  no call yet');
  expect(lastLine({ gate: { kind: 'silent' } })).toBe('  beacon.default  its gate gives no answer');
});

test('why rows did not finish stands on the line and on the screen while the map runs', () => {
  const errors = { NEEDS_PERSON: { rows: 38, message: '401: key revoked' }, AUTH_INVALID: { rows: 1, message: 'x' } };
  const failing = snapshot({ counts: { columns: {}, providers: {}, errors } });
  expect(snapshotLine(failing)).toMatch(/ · NEEDS_PERSON 38 \(401: key revoked\), AUTH_INVALID 1$/);
  expect(snapshotLines(failing)).toContain('  NEEDS_PERSON  38 rows  401: key revoked');
});
