// What holds for all answers and failures, whatever their bytes.
import fc from 'fast-check';
import { profileNames, profileOf } from '../../../activities/http/profiles/registry';
import { readAnswer } from '../../../activities/http/read-answer';
import { type HeaderLine, TRANSPORT_CODES, type Verdict } from '../../../activities/http/verdict';

const now = Date.UTC(2026, 11, 1, 12);

/** How long the verdict waits, null when it does not. */
const waitOf = (verdict: Verdict): number | null => {
  const instant = verdict.kind === 'success' ? verdict.hold?.retryAtMs : verdict.retryAtMs;
  return instant === undefined ? null : instant - now;
};

describe('for all answers', () => {
  const names = fc.constantFrom(
    'Retry-After',
    'retry-after-ms',
    'x-ms-retry-after-ms',
    'RateLimit',
    'ratelimit-remaining',
    'ratelimit-reset',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'x-ratelimit-retry-after',
    'x-rate-limit-reset',
    'date',
    'age',
    'stripe-should-retry',
    'grpc-retry-pushback-ms',
    'x-ratelimit',
  );
  const values = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.nat().map(String),
    fc.bigInt({ min: 0n, max: 10n ** 22n }).map(String),
    fc.constantFrom(
      '0',
      '1.5',
      '5m',
      '"p";r=0;t=9',
      'Tue, 01 Dec 2026 12:00:00 GMT',
      'Thu, 01 Jan 1970 00:00:10 GMT',
      '2026-12-01T12:00:45Z',
      '{"remaining":0}',
    ),
  );
  const headers = fc.array(fc.tuple(names, values), { maxLength: 6 });
  const bodies = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json({ maxDepth: 4 }),
    fc.json().map((json) => `{"error":${json}}`),
  );
  const contexts = fc.record({
    profile: fc.constantFrom(...profileNames).map(profileOf),
    attempt: fc.integer({ min: 1, max: 2_000 }),
    throttleNumber: fc.integer({ min: 1, max: 2_000 }),
    maxThrottles: fc.constant(5_000),
    maxAttempts: fc.constant(5_000),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }).map((draw) => () => draw),
    batchItem: fc.constantFrom('1', '2'),
    request: fc.record({ method: fc.constant('GET'), idempotent: fc.boolean(), keyed: fc.boolean() }),
  });

  test('there is a verdict, whose instant is a whole number, not before the answer and within what a Date can hold', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 999 }),
        headers,
        bodies,
        fc.boolean(),
        contexts,
        (status, rawHeaders, bodyPrefix, bodyComplete, context) => {
          const verdict = readAnswer({ status, rawHeaders, bodyPrefix, bodyComplete, observedAtMs: now }, context);
          const wait = waitOf(verdict);
          const isInstant =
            wait !== null && Number.isSafeInteger(wait) && !Number.isNaN(new Date(now + wait).getTime());
          expect(wait === null || (isInstant && wait >= 0)).toBe(true);
          if (verdict.kind === 'hold' || verdict.kind === 'transient') expect(wait).not.toBeNull();
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('every failure has a verdict', () => {
    const failures = fc.tuple(fc.constantFrom(...TRANSPORT_CODES), fc.boolean(), fc.boolean());
    fc.assert(
      fc.property(failures, contexts, ([code, sent, answerStarted], context) => {
        const wait = waitOf(readAnswer({ transportError: { code, sent, answerStarted }, observedAtMs: now }, context));
        expect(wait === null || (wait > 0 && wait <= 60_000)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('nobody comes back earlier than the latest of what Retry-After lines ask for', () => {
    const asked = fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(asked, fc.constantFrom(429, 503, 413, 301), contexts, (seconds, status, context) => {
        const rawHeaders = seconds.map((value): HeaderLine => ['Retry-After', String(value)]);
        const wait = waitOf(
          readAnswer({ status, rawHeaders, bodyPrefix: '', bodyComplete: true, observedAtMs: now }, context),
        );
        expect(wait).toBeGreaterThanOrEqual(Math.max(...seconds) * 1_000);
      }),
      { numRuns: 300 },
    );
  });
});
