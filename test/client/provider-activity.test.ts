// What each provider is doing, read off the rows that wait.

import type { NamedGate } from '../../client/gates/read-gates';
import { withAnswers } from '../../client/holds-book';
import { providerActivity } from '../../client/provider-activity';
import type { RowHolds } from '../../contracts/results';
import { call, gateStatus, heldUntil, holds, NOW_MS, openRow } from './fixtures/figures';

const UNTIL = NOW_MS + 90_000;

/** Activity when the rows gave these answers, in order; null = a row that was not asked. */
function activityOf(
  answers: (RowHolds | null)[],
  providers: string[] = [],
  unserved: string[] | null = [],
  gates: NamedGate[] = [],
) {
  const open = answers.map((_, index) => openRow(String(index)));
  const known = answers.flatMap((answer, index) => (answer ? [[`m/r/${index}`, answer] as const] : []));
  const book = withAnswers(new Map(), open, new Map(known), NOW_MS);
  return providerActivity({ providers, gates, unserved }, open, book, NOW_MS);
}

const beacon = (answers: (RowHolds | null)[]) => activityOf(answers, ['beacon.default']).activity[0];

test('a provider that no row waits for holds nothing', () => {
  expect(beacon([])).toMatchObject({
    provider: 'beacon.default',
    closedUntilMs: null,
    held: 0,
    queued: 0,
    served: true,
  });
});

test('a closed provider shows its instant, its reason and who waits', () => {
  const answers = [holds(heldUntil(UNTIL)), holds(heldUntil(UNTIL)), holds(call({ state: 'queued' }))];
  expect(beacon(answers)).toMatchObject({
    closedUntilMs: UNTIL,
    reason: 'throttled',
    held: 2,
    heldAlone: 0,
    queued: 1,
  });
});

test('the latest instant counts, and the reason comes from the row that met the refusal', () => {
  const answers = [
    holds(heldUntil(UNTIL - 5_000, { reason: 'quota' })),
    holds(heldUntil(UNTIL, { reason: 'gate_closed' })),
  ];
  expect(beacon(answers)).toMatchObject({ closedUntilMs: UNTIL, reason: 'quota' });
});

test.each([
  ['a hold of the row alone', { scope: 'row' as const, reason: 'throttled' as const }],
  ['a worker without the tool', { scope: 'row' as const, reason: 'tool_unknown' as const }],
  ['a transient failure', { scope: 'account' as const, reason: 'transient' as const }],
])('%s closes no provider', (_, some) => {
  expect(beacon([holds(heldUntil(UNTIL, some))])).toMatchObject({
    closedUntilMs: null,
    held: 1,
    heldAlone: 1,
    aloneReasons: [some.reason],
    firstAloneAtMs: UNTIL,
  });
});

test('the age of the queue is that of its oldest call', () => {
  const answers = [holds(call({ sinceMs: NOW_MS - 2_000 })), holds(call({ sinceMs: NOW_MS - 34_000 }))];
  expect(beacon(answers)).toMatchObject({ queued: 2, queuedSinceMs: NOW_MS - 34_000 });
});

test('a row with two calls of one provider counts once', () => {
  expect(beacon([holds(heldUntil(UNTIL), heldUntil(UNTIL, { column: 'other' }))])).toMatchObject({ held: 1 });
});

test('providers are told apart by account, and one that only a row names is shown too', () => {
  const { activity } = activityOf([holds(call({ account: 'second' }))], ['acme.default']);
  expect(activity.map((one) => [one.provider, one.queued])).toEqual([
    ['acme.default', 0],
    ['beacon.second', 1],
  ]);
});

test('how many of the waiting rows answered is told', () => {
  expect(activityOf([holds(call({})), null, null]).asked).toEqual({ answered: 1, waiting: 3 });
});

test('a provider without a live worker is told, and so is not knowing', () => {
  expect(activityOf([], ['beacon.default'], ['beacon.default']).activity[0]?.served).toBe(false);
  expect(activityOf([], ['beacon.default'], null).activity[0]?.served).toBeNull();
});

test('what the shared gate says shows before any row was asked, and all rows of a single provider wait for it', () => {
  const status = gateStatus({ closedUntilMs: UNTIL, reason: 'throttled', status: 429 });
  const gates: NamedGate[] = [{ gate: 'beacon.default', answer: { kind: 'status', status } }];
  const { activity } = activityOf([null, null], ['beacon.default'], [], gates);
  expect(activity).toMatchObject([{ closedUntilMs: UNTIL, reason: 'throttled', held: 0, waiting: 2 }]);
  expect(activityOf([null], ['acme.default'], [], gates).activity[0]?.closedUntilMs).toBeNull();
});

test('a closing of the gate that is over closes nothing', () => {
  const status = gateStatus({ closedUntilMs: NOW_MS - 1, reason: 'throttled' });
  const gates: NamedGate[] = [{ gate: 'beacon.default', answer: { kind: 'status', status } }];
  expect(activityOf([], ['beacon.default'], [], gates).activity[0]?.closedUntilMs).toBeNull();
});
