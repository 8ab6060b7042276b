// From a valid spec to the plan that every row carries, and what a worker says of a spec that it cannot run.
import { planMap } from '../../activities/plan-map';
import { createHttpTool } from '../../activities/tools/http-tool';
import { createToolRegistry } from '../../activities/tools/tool-registry';
import { parseMapSpec } from '../../contracts/schemas/map-spec';
import { parseProviderFile } from '../../contracts/schemas/provider-file';

function registry(accounts?: object) {
  const tool = { effect: 'read', price: 0.02, timeout: '5s', request: { method: 'GET', path: '/' }, response: {} };
  const raw = {
    provider: 'acme',
    baseUrl: 'https://api.acme.example',
    idempotency: { header: 'Idempotency-Key' },
    tools: { company: tool, email: { ...tool, price: 0 } },
    ...(accounts ? { accounts, auth: { header: 'Authorization', value: '{secret}' } } : {}),
  };
  const reading = parseProviderFile(raw, 'acme.provider.yaml');
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const tools = Object.entries(reading.file.tools).map(([name, spec]) =>
    createHttpTool(reading.file, name, spec, 'https://api.acme.example'),
  );
  return createToolRegistry({
    providers: [{ path: 'acme.provider.yaml', file: reading.file, tools }],
    codeTools: [],
  });
}

function plan(spec: object, accounts?: object) {
  const base = { name: 'companies', dataset: { rows: [{ domain: 'a.example' }] }, output: { jsonl: 'out.jsonl' } };
  const reading = parseMapSpec({ ...base, ...spec });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const timing = { heartbeatTimeoutMs: 30_000, parkedAfterMs: 20_000 };
  const maps = ['cheapest-first', 'verified-email'];
  return planMap({ spec: reading.spec, mapId: 'm1', runId: 'run-1', tools: registry(accounts), maps, timing });
}
const firm = { name: 'firm', tool: 'acme.company', input: { domain: '{{ row.domain }}' } };
const two = { eu: { secret: { env: 'EU' } }, us: { secret: { env: 'US' } } };

test('a tool column becomes one leg, with the queue of its account and what the row must know of the tool', () => {
  const { plan: made, problems } = plan({ columns: [{ ...firm, runIf: '{{ row.domain }}' }], cancelGrace: '5s' });
  expect(problems).toEqual([]);
  expect(made).toMatchObject({
    mapId: 'm1',
    runId: 'run-1',
    program: {
      kind: 'columns',
      columns: [
        {
          name: 'firm',
          runIf: '{{ row.domain }}',
          legs: [{ tool: 'acme.company', account: 'default', input: { domain: '{{ row.domain }}' } }],
        },
      ],
    },
    tools: {
      'acme.company@default': {
        provider: 'acme',
        taskQueue: 'sluice.acme.default',
        price: 0.02,
        idempotent: true,
        timeoutMs: 5000,
      },
    },
    timing: { heartbeatTimeoutMs: 30_000, parkedAfterMs: 20_000, cancelGraceMs: 5000 },
  });
});

test('a waterfall keeps the order of its legs, a value column its template', () => {
  const legs = ['acme.email', 'acme.company'].map((tool) => ({ tool, input: {} }));
  const { plan: made } = plan({
    columns: [
      { name: 'email', waterfall: legs },
      { name: 'size', value: '{{ 1 }}' },
    ],
  });
  const columns = made?.program.kind === 'columns' ? made.program.columns : [];
  expect(columns[0]?.legs?.map(({ tool }) => tool)).toEqual(['acme.email', 'acme.company']);
  expect(columns[1]).toEqual({ name: 'size', value: '{{ 1 }}' });
});

test('the plan says nothing of limits, URLs and secrets', () => {
  const { plan: made } = plan({ columns: [{ ...firm, account: 'eu' }] }, two);
  expect(JSON.stringify(made)).not.toMatch(/api\.acme|"EU"|Idempotency-Key/);
});

test('every problem is told with its path, and no plan is made', () => {
  const { plan: made, problems } = plan({
    columns: [
      { name: 'a', tool: 'acme.compny', input: {} },
      {
        name: 'b',
        waterfall: [
          { tool: 'acme.email', input: {} },
          { tool: 'beacon.email', input: {} },
        ],
      },
      { name: 'c', value: '{{ 1 + }}' },
      { ...firm, account: 'asia' },
    ],
  });
  expect(made).toBeNull();
  expect(problems.map(({ path }) => path)).toEqual([
    'columns[0].tool',
    'columns[1].waterfall[1].tool',
    'columns[3].tool',
    'columns[2].value',
  ]);
  expect(problems.map(({ message }) => message)).toEqual([
    'the worker has no tool "acme.compny" (did you mean "acme.company"?); it has acme.company, acme.email',
    'the worker has no tool "beacon.email" (did you mean "acme.email"?); it has acme.company, acme.email',
    'acme has no account "asia"; it has default',
    expect.stringMatching(/^not a JSONata expression: /),
  ]);
});

test('of several accounts one must be named in a column, a TypeScript map gets them all', () => {
  expect(plan({ columns: [firm] }, two).problems).toEqual([
    { path: 'columns[0].tool', message: 'acme.company has the accounts eu, us; expected one of them as account' },
  ]);
  const { plan: made } = plan({ map: 'cheapest-first', tools: ['acme.company'] }, two);
  expect(Object.keys(made?.tools ?? {})).toEqual(['acme.company@eu', 'acme.company@us']);
});

test('a TypeScript map that names no tools gets all of the worker', () => {
  const { plan: made } = plan({ map: 'verified-email' });
  expect(made?.program).toEqual({ kind: 'typescript', map: 'verified-email' });
  expect(Object.keys(made?.tools ?? {})).toEqual(['acme.company@default', 'acme.email@default']);
});

test('a map that is not defined is told with the nearest name', () => {
  expect(plan({ map: 'verified-emial' }).problems).toMatchObject([
    { path: 'map', message: expect.stringContaining('(did you mean "verified-email"?)') },
  ]);
});

test('a plan that would not fit into every row is refused with its size', () => {
  const columns = [{ name: 'long', value: 'x'.repeat(70_000) }];
  expect(plan({ columns }).problems).toMatchObject([
    { path: 'columns', message: expect.stringMatching(/^the plan of a row is 70\d{3} bytes, expected at most 65536/) },
  ]);
});

test('expressions whose work nothing bounds are named once, so that rows leave them to an activity', () => {
  const match = '$match(row.domain, /^(a+)+$/).match';
  const columns = [
    { name: 'one', value: `{{ ${match} }}` },
    { name: 'two', runIf: `{{ ${match} }}`, value: '{{ $uppercase(row.domain) }}' },
  ];
  expect(plan({ columns }).plan?.apart).toEqual([match]);
  expect(plan({ columns: [firm] }).plan).not.toHaveProperty('apart');
});
