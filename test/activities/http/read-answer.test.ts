// Rules of the reader that the table of answers does not show. Long, since each rule brings its own answers.
import { profileOf } from '../../../activities/http/profiles/registry';
import { readAnswer } from '../../../activities/http/read-answer';
import type { HeaderLine, ReadContext, TransportCode, Verdict } from '../../../activities/http/verdict';

const now = Date.UTC(2026, 11, 1, 12);
const hour = 3_600_000;

const contextOf = (parts: Partial<ReadContext> = {}): ReadContext => ({
  request: { method: 'GET', idempotent: true, keyed: false },
  profile: profileOf('generic'),
  attempt: 1,
  throttleNumber: 1,
  random: () => 0.5,
  ...parts,
});

const read = (status: number, rawHeaders: HeaderLine[] = [], bodyPrefix = '', parts: Partial<ReadContext> = {}) =>
  readAnswer({ status, rawHeaders, bodyPrefix, bodyComplete: true, observedAtMs: now }, contextOf(parts));

const fail = (code: TransportCode, sent: boolean, parts: Partial<ReadContext> = {}, answerStarted = false) =>
  readAnswer({ transportError: { code, sent, answerStarted }, observedAtMs: now }, contextOf(parts));

const insert = { request: { method: 'POST', idempotent: false, keyed: false } };
const keyed = { request: { method: 'POST', idempotent: false, keyed: true } };

/** How long the verdict waits, null when it does not. */
const waitOf = (verdict: Verdict): number | null => {
  const instant = verdict.kind === 'success' ? verdict.hold?.retryAtMs : verdict.retryAtMs;
  return instant === undefined ? null : instant - now;
};

describe('which source says when', () => {
  test.each<[string, HeaderLine[], number]>([
    [
      'of several Retry-After lines the latest',
      [
        ['Retry-After', '60'],
        ['retry-after', '120'],
        ['RETRY-AFTER', '5'],
      ],
      120_000,
    ],
    ['of a joined line the latest', [['retry-after', '60, 120']], 120_000],
    [
      'Retry-After before a bucket, also when it is earlier',
      [
        ['retry-after', '5'],
        ['x-ratelimit-remaining', '0'],
        ['x-ratelimit-reset', '900'],
      ],
      5_000,
    ],
    [
      'a bucket when Retry-After cannot be read',
      [
        ['retry-after', 'soon'],
        ['x-ratelimit-remaining', '0'],
        ['x-ratelimit-reset', '9'],
      ],
      9_000,
    ],
    ['a bucket that does not say what is left', [['x-ratelimit-reset', '9']], 9_000],
    [
      'no bucket that has something left',
      [
        ['x-ratelimit-remaining', '1'],
        ['x-ratelimit-reset', '900'],
      ],
      1_000,
    ],
    [
      'milliseconds when seconds are the same, rounded',
      [
        ['retry-after', '5'],
        ['retry-after-ms', '4001'],
      ],
      4_001,
    ],
    [
      'the later of two that differ by a second',
      [
        ['retry-after', '5'],
        ['retry-after-ms', '4000'],
      ],
      5_000,
    ],
  ])('%s', (_what, headers, expected) => {
    expect(waitOf(read(429, headers))).toBe(expected);
  });

  test('an instant counts from the Date of the server, and Age has passed since', () => {
    const headers: HeaderLine[] = [
      ['date', 'Tue, 01 Dec 2026 11:00:00 GMT'],
      ['age', '30'],
      ['retry-after', 'Tue, 01 Dec 2026 11:01:00 GMT'],
    ];
    expect(waitOf(read(429, headers))).toBe(30_000);
  });

  test('a 200 from a cache says nothing about the next request', () => {
    const bucket: HeaderLine[] = [['ratelimit', '"p";r=0;t=30']];
    expect(read(200, bucket, '{}')).toMatchObject({
      kind: 'success',
      hold: { retryAtMs: now + 30_000, scope: 'account' },
    });
    expect(read(200, [...bucket, ['age', '1']], '{}')).toEqual({ kind: 'success' });
    expect(read(200, [['x-ratelimit-reset', '30']], '{}')).toEqual({ kind: 'success' });
  });
});

describe('what people see of a wait', () => {
  const saidOf = (verdict: Verdict) => ('said' in verdict ? verdict.said : undefined);

  test.each<[HeaderLine[], string, string]>([
    [[['retry-after', '30']], '', 'Retry-After: 30'],
    [[['retry-after', '0']], '', 'Retry-After: 0'],
    [[['retry-after', 'Tue, 01 Dec 2026 12:01:00 GMT']], '', 'Retry-After: Tue, 01 Dec 2026 12:01:00 GMT'],
    [[['retry-after', '60, 120']], '', 'Retry-After: 120'],
    [
      [
        ['retry-after', '1'],
        ['retry-after-ms', '700'],
      ],
      '',
      'Retry-After-Ms: 700',
    ],
    [
      [
        ['x-ratelimit-remaining', '0'],
        ['x-ratelimit-reset', '90'],
      ],
      '',
      'X-Ratelimit-Reset: 90',
    ],
    [[['ratelimit', '"key of a person";r=0;t=30']], '', 'RateLimit t: 30'],
  ])('is the header and its value: %j', (headers, body, said) => {
    expect(saidOf(read(429, headers, body))).toBe(said);
  });

  test('is the field of the body, also in prose, and the calendar of the profile', () => {
    const google = { profile: profileOf('google') };
    const retryInfo = {
      error: { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '36s' }] },
    };
    expect(saidOf(read(429, [], JSON.stringify(retryInfo), google))).toBe('body error.details[].retryDelay: 36s');
    const prose = { error: { message: 'secret-1 said: Please retry in 36.5s.' } };
    expect(saidOf(read(429, [], JSON.stringify(prose), google))).toBe('body error.message: 36.5s');
  });

  test('is nothing where the answer names no time, and never longer than a line', () => {
    expect(read(429)).not.toHaveProperty('said');
    expect(read(429, [['retry-after', 'soon, key-123']])).not.toHaveProperty('said');
    expect(saidOf(read(429, [['retry-after', '9'.repeat(5000)]]))).toHaveLength(100);
  });
});

describe('floors, caps and budgets', () => {
  test('a zero grows with each throttle in a row', () => {
    const waits = [1, 2, 3, 4, 12].map((throttleNumber) =>
      waitOf(read(429, [['retry-after', '0']], '', { throttleNumber })),
    );
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 300_000]);
  });

  test('a positive hint is kept, but for the floor of the second throttle in a row and later', () => {
    const waits = [1, 2, 6].map((throttleNumber) =>
      waitOf(read(429, [['retry-after-ms', '50']], '', { throttleNumber })),
    );
    expect(waits).toEqual([50, 200, 3_200]);
  });

  test('the longest hold is kept, a longer wait ends the call with its instant', () => {
    expect(read(429, [['retry-after', '86400']])).toMatchObject({ kind: 'hold', retryAtMs: now + 24 * hour });
    const tooLong = { kind: 'terminal', code: 'RATE_LIMIT_WAIT_TOO_LONG', needsPerson: false };
    expect(read(429, [['retry-after', '86401']])).toMatchObject({
      ...tooLong,
      scope: 'account',
      retryAtMs: now + 24 * hour + 1_000,
    });
    expect(read(503, [['retry-after', '86401']])).toMatchObject({ ...tooLong, scope: 'provider' });
    expect(read(429, [['retry-after', '61']], '', { maxHoldMs: 60_000 })).toMatchObject({
      ...tooLong,
      retryAtMs: now + 61_000,
    });
  });

  test('a deadline ends the row, and the scope waits all the same', () => {
    const verdict = read(429, [['retry-after', '60']], '', { deadlineMs: now + 59_999 });
    const hold = { retryAtMs: now + 60_000, scope: 'account' };
    expect(verdict).toMatchObject({ kind: 'terminal', scope: 'row', code: 'DEADLINE_BEFORE_RETRY', hold });
    expect(read(429, [['retry-after', '60']], '', { deadlineMs: now + 60_000 }).kind).toBe('hold');
  });

  test('the last attempt of the budget ends the row; clock skew and 425 get one more try whatever it is', () => {
    expect(read(503, [], '', { attempt: 4 }).kind).toBe('transient');
    expect(read(503, [], '', { attempt: 5 })).toMatchObject({ kind: 'terminal', code: 'RETRIES_EXHAUSTED' });
    expect(read(425, [], '', { attempt: 2 })).toMatchObject({ kind: 'terminal', code: 'RETRIES_EXHAUSTED' });
    const skewed = read(403, [], '{"__type":"RequestTimeTooSkewed"}', { attempt: 2, profile: profileOf('aws') });
    expect(skewed).toMatchObject({ kind: 'terminal', code: 'RETRIES_EXHAUSTED' });
  });

  test('throttles have a budget of their own', () => {
    expect(read(429, [], '', { throttleNumber: 49, attempt: 5 }).kind).toBe('hold');
    const exhausted = { kind: 'terminal', scope: 'account', code: 'RATE_LIMIT_RETRIES_EXHAUSTED' };
    expect(read(429, [], '', { throttleNumber: 50 })).toMatchObject(exhausted);
  });
});

describe('what may be repeated', () => {
  test.each<[TransportCode, boolean, string]>([
    ['CONNECT_FAILED', false, 'CONNECT_FAILED'],
    ['TIMED_OUT', false, 'TIMEOUT'],
    ['STREAM_REFUSED', true, 'STREAM_REFUSED'],
  ])('%s, sent %s: nothing was processed, so any request goes again', (code, sent, expected) => {
    expect(fail(code, sent, insert)).toMatchObject({ kind: 'transient', code: expected, scope: 'row' });
  });

  test.each<TransportCode>(['RESET', 'TIMED_OUT', 'BODY_CUT', 'BODY_UNREADABLE', 'ANSWER_INVALID'])(
    '%s after sending: only what is idempotent or carries a key goes again',
    (code) => {
      expect(fail(code, true, insert)).toMatchObject({ kind: 'terminal', code: 'AMBIGUOUS_OUTCOME', scope: 'row' });
      expect(fail(code, true, keyed).kind).toBe('transient');
      expect(fail(code, true).kind).toBe('transient');
    },
  );

  test.each([
    ['a 500', 500, ''],
    ['a page where JSON is due', 200, '<html>'],
  ])('%s leaves the outcome of an insert open', (_what, status, body) => {
    expect(read(status, [], body, insert)).toMatchObject({ kind: 'terminal', code: 'AMBIGUOUS_OUTCOME' });
    expect(read(status, [], body, keyed).kind).toBe('transient');
  });

  test.each<[string, number, HeaderLine[]]>([
    ['429', 429, []],
    ['503 with a time', 503, [['retry-after', '30']]],
    ['408', 408, []],
  ])('a %s refused an insert before the work', (_what, status, headers) => {
    expect(['hold', 'transient']).toContain(read(status, headers, '', insert).kind);
  });

  test('what the caller gave up, could not send or could not hold ends at once', () => {
    expect(fail('ABORTED', true)).toMatchObject({ kind: 'terminal', code: 'ABORTED' });
    expect(fail('REQUEST_INVALID', false)).toMatchObject({ kind: 'terminal', code: 'INVALID_REQUEST' });
    expect(fail('TOO_LARGE', true)).toMatchObject({ kind: 'terminal', code: 'RESPONSE_TOO_LARGE' });
    expect(read(429, [['retry-after', '5']], '', { aborted: true })).toMatchObject({ code: 'ABORTED' });
  });
});

describe('a 2xx', () => {
  test.each([
    ['{"error":null,"errors":[]}', 'success'],
    ['{"error":""}', 'success'],
    ['\uFEFF{"data":1}', 'success'],
    ['', 'success'],
    ['[]', 'success'],
    ['{"error":"no such thing"}', 'terminal'],
    ['{"data":1,"errors":[{}]}', 'terminal'],
    ['{"data":', 'transient'],
  ])('with the body %j is a %s', (body, kind) => {
    expect(read(200, [], body).kind).toBe(kind);
  });

  test('need not be JSON where anything goes', () => {
    expect(read(200, [], '<html>', { expects: 'any' })).toEqual({ kind: 'success' });
  });

  test('whose body is not whole is none', () => {
    const answer = { status: 200, rawHeaders: [], bodyPrefix: '{}', bodyComplete: false, observedAtMs: now };
    expect(readAnswer(answer, contextOf())).toMatchObject({ kind: 'transient', code: 'BODY_CUT' });
  });
});

test('an error that a gateway wrapped as JSON text into the message is found', () => {
  const inner = JSON.stringify([{ error: { code: 'insufficient_quota' } }]);
  expect(read(429, [], JSON.stringify({ error: { message: inner } }))).toMatchObject({
    kind: 'terminal',
    needsPerson: true,
  });
});

test('an explicit stop outranks a wait, and is none on a success', () => {
  const stop: HeaderLine[] = [
    ['grpc-retry-pushback-ms', '-1'],
    ['retry-after', '5'],
  ];
  expect(read(503, stop)).toMatchObject({ kind: 'terminal', scope: 'row', code: 'NO_RETRY_ADVISED' });
  expect(read(503, [['grpc-retry-pushback-ms', '1500']])).toMatchObject({ kind: 'hold', retryAtMs: now + 1_500 });
  expect(read(200, [['stripe-should-retry', 'false']], '{}')).toEqual({ kind: 'success' });
});

describe('batches', () => {
  const parts = (batchItem: string) => ({ batchItem, profile: profileOf('msgraph') });
  const inner = (id: string, status: number, wait?: string) => ({
    id,
    status,
    headers: wait ? { 'Retry-After': wait } : {},
    body: {},
  });
  const body = JSON.stringify({
    responses: [inner('1', 200), inner('2', 429, '3'), inner('3', 429, '7'), inner('4', 404)],
  });

  test('each item is read alone, and refused ones wait for the longest', () => {
    expect(read(200, [], body, parts('1'))).toEqual({ kind: 'success' });
    expect(read(200, [], body, parts('2'))).toMatchObject({ kind: 'hold', scope: 'row', retryAtMs: now + 7_000 });
    expect(read(200, [], body, parts('4'))).toMatchObject({ kind: 'terminal', code: 'NOT_FOUND' });
    expect(read(200, [], body, parts('9'))).toMatchObject({ kind: 'transient', code: 'RESPONSE_INVALID' });
  });

  test('a refusal of the whole batch holds the account', () => {
    expect(read(429, [['retry-after', '9']], '', parts('1'))).toMatchObject({ kind: 'hold', scope: 'account' });
  });
});
