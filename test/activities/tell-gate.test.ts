// What one answer tells the gate: a refusal that also ends its call is no success, and neither is a provider that cannot be reached.
import type { AttemptEnd } from '../../activities/attempt';
import type { Closing, Gate, Permit } from '../../activities/gate-port';
import { closingOf, letsUsIn, tellGate } from '../../activities/tell-gate';

const RETRY_AT_MS = 1_700_000_000_000;
const rejected = (own: Partial<Extract<AttemptEnd, { kind: 'rejected' }>>): AttemptEnd => ({
  kind: 'rejected',
  code: 'INVALID_REQUEST',
  message: 'no',
  scope: 'row',
  needsPerson: false,
  repairable: false,
  charged: 0,
  ...own,
});
const hold: AttemptEnd = {
  kind: 'hold',
  reason: 'quota',
  scope: 'account',
  retryAtMs: RETRY_AT_MS,
  status: 429,
  isDefinite: true,
};

test('a throttle closes what it means: the account, all accounts of the provider, the endpoint alone, or nothing but the row', () => {
  expect(closingOf(hold)).toEqual({ retryAtMs: RETRY_AT_MS, reason: 'quota', scope: 'account', status: 429 });
  expect(closingOf({ ...hold, said: 'Retry-After: 30' })).toMatchObject({ said: 'Retry-After: 30' });
  expect(closingOf({ ...hold, scope: 'provider' })).toMatchObject({ scope: 'provider' });
  expect(closingOf({ ...hold, scope: 'endpoint' })).toMatchObject({ scope: 'endpoint' });
  expect(closingOf({ ...hold, scope: 'row' })).toBeNull();
});

test.each(['RATE_LIMIT_WAIT_TOO_LONG', 'RATE_LIMIT_RETRIES_EXHAUSTED'] as const)(
  '%s ends its call and closes the account all the same',
  (code) => {
    const end = rejected({ code, scope: 'account', status: 429, retryAtMs: RETRY_AT_MS });
    expect(closingOf(end)).toEqual({ retryAtMs: RETRY_AT_MS, reason: 'throttled', scope: 'account', status: 429 });
  },
);

test.each([
  ['a refusal of the row', rejected({ status: 404 }), true],
  ['a 2xx that is not what the tool promises', rejected({ code: 'RESPONSE_INVALID', status: 200 }), true],
  ['an answer that is too large', rejected({ code: 'RESPONSE_TOO_LARGE' }), true],
  ['the last server error of a call', rejected({ code: 'RETRIES_EXHAUSTED', status: 503 }), false],
  ['the last lost connection of a call', rejected({ code: 'RETRIES_EXHAUSTED' }), false],
  ['a request that cannot be sent', rejected({}), false],
  ['a lost answer', { kind: 'ambiguous', code: 'AMBIGUOUS_OUTCOME', message: 'reset' }, false],
  ['a server error', { kind: 'transient', code: 'SERVER_ERROR', message: '500', retryAtMs: 1 }, false],
] as [string, AttemptEnd, boolean][])('%s lets us in: %s', (_what, end, expected) => {
  expect(closingOf(end)).toBeNull();
  expect(letsUsIn(end)).toBe(expected);
});

test.each(['endpoint', 'account', 'provider'] as const)(
  'what a success says of the next request of the %s is told',
  (scope) => {
    const told: Closing[] = [];
    const permit = { succeeded: () => undefined, restUntil: (closing: Closing) => void told.push(closing) };
    const later = { retryAtMs: RETRY_AT_MS, scope };
    tellGate(permit as unknown as Permit, {} as Gate, { kind: 'value', value: 1, status: 200, laterHold: later });
    expect(told).toEqual([{ ...later, reason: 'throttled' }]);
  },
);
