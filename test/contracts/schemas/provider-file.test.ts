// What a provider file may say, and what each mistake in it is told. Long, since its mistakes are read as one table.
import { parseProviderFile } from '../../../contracts/schemas/provider-file';
import { baseUrlProblem } from '../../../contracts/schemas/provider-file-rules';

const company = () => ({
  effect: 'read',
  price: 0.02,
  request: { method: 'GET', path: '/v1/company', query: { domain: '{{ input.domain }}' } },
  response: { value: '{{ body.data }}', missWhen: '{{ status = 404 }}' },
});

const file = () => ({
  provider: 'acme',
  baseUrl: 'https://api.acme.example',
  accounts: { default: { secret: { env: 'ACME_KEY' } } },
  auth: { header: 'Authorization', value: 'Bearer {secret}' },
  limits: { rate: [{ limit: 20, per: '1s' }], concurrency: 10 },
  throttle: { profile: 'generic' },
  giveUpAfter: '24h',
  idempotency: { header: 'Idempotency-Key' },
  tools: { company: company() },
});

function problemsOf(change: object): string[] {
  const reading = parseProviderFile({ ...file(), ...change }, 'acme.provider.yaml');
  return reading.ok
    ? []
    : reading.problems.map(({ path, message }) => `${path.replace('acme.provider.yaml at ', '')}: ${message}`);
}
const toolProblems = (change: object) => problemsOf({ tools: { company: { ...company(), ...change } } });

test('a good file gets its defaults', () => {
  const reading = parseProviderFile(file(), 'acme.provider.yaml');
  expect(reading).toEqual({
    ok: true,
    file: { ...file(), tools: { company: { ...company(), kind: 'http' } } },
  });
});

test('the shortest file has no accounts, no limits and a tool that answers with its body', () => {
  const tool = { effect: 'read', price: 0, request: { method: 'GET', path: '/' } };
  const reading = parseProviderFile(
    { provider: 'open', baseUrl: 'http://127.0.0.1:8080/base', tools: { get: tool } },
    'open.provider.yaml',
  );
  expect(reading).toMatchObject({
    ok: true,
    file: {
      limits: { rate: [] },
      throttle: { profile: 'generic' },
      tools: { get: { response: { value: '{{ body }}' } } },
    },
  });
});

test('every problem is listed with the file’s name and its path', () => {
  const raw = {
    ...file(),
    provder: 'x',
    baseUrl: 'ftp://x',
    tools: { company: { ...company(), efect: 'read', price: -1 } },
  };
  const reading = parseProviderFile(raw, 'acme.provider.yaml');
  expect(reading.ok || reading.problems).toEqual([
    { path: 'acme.provider.yaml at tools.company.price', message: 'expected a number from 0, found -1' },
    { path: 'acme.provider.yaml at tools.company.efect', message: expect.stringContaining('did you mean "effect"?') },
    { path: 'acme.provider.yaml at provder', message: expect.stringContaining('did you mean "provider"?') },
    { path: 'acme.provider.yaml at baseUrl', message: expect.stringContaining('expected an https URL') },
  ]);
});

describe('secrets', () => {
  test.each(['sk-live-1234', { env: 'sk-live-1234' }, { value: 'sk-live-1234' }, { file: '' }, 1234])(
    'one that was written into the file is refused and not repeated: %j',
    (secret) => {
      const problems = problemsOf({ accounts: { default: { secret } } });
      expect(problems.length).toBeGreaterThan(0);
      expect(problems.join('\n')).not.toContain('1234');
    },
  );

  const cases: [object, string][] = [
    [{ accounts: { default: { secret: {} } } }, 'accounts.default.secret: expected exactly one of env and file'],
    [
      { accounts: { default: { secret: { env: 'A', file: 'b' } } } },
      'accounts.default.secret: expected exactly one of env and file',
    ],
    [{ accounts: {} }, 'accounts: expected at least one account, found none'],
    [{ accounts: undefined }, 'accounts: auth sends a secret, but no account is given'],
    [{ auth: undefined }, 'auth: accounts have secrets, but auth does not say how to send them'],
    [{ auth: { header: 'Authorization', value: 'Bearer' } }, 'auth.value: expected a text with {secret} in it'],
  ];
  test.each(cases)('%j', (change, problem) => {
    const raw = Object.fromEntries(Object.entries({ ...file(), ...change }).filter(([, value]) => value !== undefined));
    const reading = parseProviderFile(raw, 'f');
    expect(reading.ok || reading.problems.map(({ path, message }) => `${path.slice(5)}: ${message}`)).toEqual([
      problem,
    ]);
  });
});

test.each([
  'https://a.example',
  'https://a.example/v1/',
  'http://localhost:80',
  'http://127.0.0.1',
  'http://[::1]:9',
  'http://sim.localhost',
])('%s can be a base URL', (address) => expect(baseUrlProblem(address)).toBeNull());

test.each([
  'http://a.example',
  'ftp://a.example',
  'a.example',
  '',
  'http://127.0.0.1.evil.example',
  'https://a.example?x=1',
  'https://u:p@a.example',
])('%j cannot be a base URL', (address) => expect(baseUrlProblem(address)).toMatch(/^expected a/));

test('an address with a password in it is refused without being shown', () => {
  for (const address of ['https://u:p-word@', 'https://u:p-word@a.example', 'u:p-word@a.example?x'])
    expect(baseUrlProblem(address)).not.toContain('p-word');
});

describe('limits in other units than requests', () => {
  const problemsOf = (rate: object[], units?: object) => {
    const tool = { ...company(), ...(units ? { units } : {}) };
    const reading = parseProviderFile(
      { provider: 'open', baseUrl: 'https://a.example', limits: { rate }, tools: { get: tool } },
      'f',
    );
    return reading.ok ? [] : reading.problems.map(({ path, message }) => `${path.replace('f at ', '')}: ${message}`);
  };
  const perMinute = { limit: 100, per: '1m', unit: 'tokens' };

  test('are said by each tool that may use them, as a number or an expression', () => {
    expect(problemsOf([perMinute], { tokens: { most: '{{ input.size + 10 }}', used: '{{ body.used }}' } })).toEqual([]);
    expect(problemsOf([perMinute], { tokens: { most: 0 } })).toEqual([]);
    expect(problemsOf([perMinute])).toEqual([
      'tools.get.units: expected tokens: { most: … }, since the limits count tokens',
    ]);
    expect(problemsOf([{ limit: 5, per: '1s' }], { credits: { most: 1 } })).toEqual([
      'tools.get.units.credits: no window of the limits counts credits',
    ]);
  });

  test('are refused where no call could ever be sent, or no lease could count them', () => {
    expect(problemsOf([perMinute], { tokens: { most: 101 } })).toEqual([
      'tools.get.units.tokens.most: a call of 101 tokens never fits: expected at most 100, the smallest limit of tokens',
    ]);
    expect(problemsOf([{ ...perMinute, per: '10s' }], { tokens: { most: 1 } })).toEqual([
      'limits.rate[0].per: expected at least 1m for a window with a unit, found 10s',
    ]);
    expect(problemsOf([{ ...perMinute, unit: 'requests' }], { requests: { most: 1 } })).toEqual([
      'limits.rate[0].unit: a window of requests has no unit; leave it out',
    ]);
    expect(problemsOf([perMinute], { tokens: { most: 'many' } })).toEqual([
      expect.stringContaining('tools.get.units.tokens.most: expected one expression in {{ }}'),
    ]);
  });
});

describe('tools', () => {
  const request = (change: object) => ({ request: { ...company().request, ...change } });
  const cases: [object, string][] = [
    [
      { effect: 'write', share: 'all' },
      'tools.company.share: expected "run": a write that is asked for twice is meant twice, so its answer is never shared',
    ],
    [{ timeout: '2h' }, 'tools.company.timeout: expected a duration from 1ms to 1h, found "2h"'],
    [request({ path: 'v1' }), 'tools.company.request.path: expected a path that starts with "/", found "v1"'],
    [
      request({ path: '/a?b={{ input.b }}' }),
      'tools.company.request.path: expected a path without "?" and "#" (use query), found "/a?b={{ input.b }}"',
    ],
    [
      request({ path: '/a/../b' }),
      'tools.company.request.path: expected a path without "." and ".." segments, found "/a/../b"',
    ],
    [request({ body: {} }), 'tools.company.request.body: a GET request has no body'],
    [
      request({ headers: { 'x y': 'a' } }),
      'tools.company.request.headers["x y"]: expected the name of a header, found "x y"',
    ],
    [
      request({ headers: { Host: 'a' } }),
      'tools.company.request.headers.Host: "Host" is set by the HTTP client itself',
    ],
    [
      request({ headers: { authorization: 'a' } }),
      'tools.company.request.headers.authorization: "authorization" is the header of auth or idempotency already',
    ],
    [
      request({ query: { a: '{{ ' } }),
      'tools.company.request.query.a: "{{" at character 1 is never closed by "}}", in "{{ "',
    ],
    [
      request({ query: { a: '{{ $now() }}' } }),
      'tools.company.request.query.a: $now gives another value at each try; a repeated request must be the same',
    ],
    [
      { response: { missWhen: 'status = 404' } },
      'tools.company.response.missWhen: expected one expression in {{ }}, found "status = 404": write "{{ status = 404 }}"',
    ],
  ];
  test.each(cases)('%j', (change, problem) => {
    expect(toolProblems(change)).toEqual([problem]);
  });

  test('names of providers, accounts and tools are checked: they become parts of queues and ids', () => {
    expect(problemsOf({ provider: 'a.b' })[0]).toMatch(/^provider: expected a name/);
    expect(problemsOf({ provider: 'local' })[0]).toMatch(/^provider: "local" is the provider of code tools/);
    expect(problemsOf({ accounts: { 'a/b': { secret: { env: 'A' } } } })[0]).toMatch(
      /^accounts\["a\/b"\]: expected a name/,
    );
    expect(problemsOf({ tools: { '': company() } })[0]).toMatch(/^tools\[""\]: expected a name/);
  });
});

describe('throttle rules', () => {
  test('are read with their defaults', () => {
    const rules = [
      { when: { status: [403, '5xx'], fields: [{ path: 'error.code', is: ['LIMIT'] }] }, means: { class: 'terminal' } },
    ];
    const reading = parseProviderFile({ ...file(), throttle: { rules } }, 'f');
    expect(reading.ok && reading.file.throttle).toEqual({
      profile: 'generic',
      rules: [{ ...rules[0], means: { class: 'terminal', code: 'PROVIDER_ERROR' } }],
    });
  });

  test.each([
    [
      { when: { status: [42] }, means: { class: 'throttle' } },
      'rules[0].when.status[0]: expected a whole number from 100 to 599, found 42',
    ],
    [{ when: {}, means: { class: 'throtle' } }, 'rules[0].means'],
    [
      { when: { fields: [{ path: 'a', like: '(' }] }, means: { class: 'no_match' } },
      'rules[0].when.fields[0].like: expected a regular expression, found "("',
    ],
  ])('%j is refused', (rule, problem) => {
    expect(problemsOf({ throttle: { rules: [rule] } })[0]).toContain(`throttle.${problem}`);
  });
});

describe('a tool whose calls are jobs', () => {
  const poll = { request: { path: '/v1/jobs/{{ job.id }}' }, succeededWhen: "{{ body.status = 'done' }}" };
  const job = (change: object, tool: object = {}) => toolProblems({ kind: 'job', job: { poll, ...change }, ...tool });

  test('one gets its defaults', () => {
    expect(job({})).toEqual([]);
    const reading = parseProviderFile(
      {
        ...file(),
        tools: { company: { ...company(), kind: 'job', job: { poll: { succeededWhen: '{{ body.ok }}' } } } },
      },
      'f',
    );
    expect(reading.ok && reading.file.tools.company?.job).toEqual({
      id: '{{ body.id }}',
      poll: { request: { method: 'GET' }, succeededWhen: '{{ body.ok }}' },
      charged: 'start',
    });
  });

  const cases: [object, object, string][] = [
    [{}, { job: undefined }, 'job: expected job { poll }, since the kind is "job"; found nothing'],
    [{}, { kind: 'http' }, 'job: only a tool of kind "job" has a job'],
    [{ id: 'body.id' }, {}, 'job.id: expected one expression in {{ }}, found "body.id": write "{{ body.id }}"'],
    [{ deadline: '31d' }, {}, 'job.deadline: expected a duration from 1s to 30d, found "31d"'],
    [
      { result: { path: '/a?b' } },
      {},
      'job.result.path: expected a path without "?" and "#" (use query), found "/a?b"',
    ],
    [{ poll: { ...poll, request: { body: {} } } }, {}, 'job.poll.request.body: a GET request has no body'],
    [
      {},
      { price: 0, idempotent: false },
      'effect: expected "write": without an idempotency key a start that is sent twice starts two jobs',
    ],
  ];
  test.each(cases)('%j %j', (change, tool, problem) => {
    const whole = { ...company(), kind: 'job', job: { poll, ...change }, ...tool };
    const given = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
    expect(problemsOf({ tools: { company: given } })).toEqual([`tools.company.${problem}`]);
  });

  test('a DELETE that gives a job up may have a body', () =>
    expect(job({ cancel: { body: { reason: 'x' } } })).toEqual([]));
});
