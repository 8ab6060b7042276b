// The requests of a job and what their answers say: where its id is found, where it is asked for, and what no answer can turn.
import type { JobState } from '../../../contracts/job';
import type { Json } from '../../../contracts/outcomes';
import { httpTool } from './provider-fixture';

const POLL = { succeededWhen: "{{ body.state = 'done' }}", failedWhen: "{{ body.state = 'failed' }}" };
const ASKED = { ...POLL, request: { path: '/v1/jobs/{{ job.id }}' } };
const jobTool = (job: object = {}, response: object = {}) =>
  httpTool({ method: 'POST', path: '/v1/jobs' }, response, {
    tool: { kind: 'job', price: 0.5, job: { poll: ASKED, ...job } },
    file: { idempotency: { header: 'Idempotency-Key' } },
  });
const answer = (
  body: Json,
  { status = 200, headers = {} }: { status?: number; headers?: { [name: string]: string } } = {},
) => ({
  status,
  headers,
  body,
  input: {},
});
const running: JobState = {
  id: 'a/1',
  address: '/v1/operations/7?x=1',
  phase: 'running',
  startedAtMs: 0,
  polls: 0,
  billing: { billingRequestId: 'b', idempotencyKey: 'b', sentAtMs: 0, invocationAttempt: 1 },
  charged: 0.5,
};
const context = { secret: null, idempotencyKey: 'key', baseUrl: 'https://api.acme.example' };

test('a start carries the key and its answer names the job, as text or number, with its address', async () => {
  const { tool, tellsJob } = jobTool().job!.request(null);
  expect(tellsJob).toBe(true);
  expect((await tool.buildRequest({}, context)).headers).toMatchObject({ 'Idempotency-Key': 'key' });
  const headers = { location: 'https://api.acme.example/v1/jobs/7', 'retry-after': '5' };
  expect(await tool.readValue(answer({ id: 7 }, { status: 202, headers }))).toEqual({
    kind: 'value',
    value: { says: 'started', id: '7', address: '/v1/jobs/7', waitIsOurs: true },
  });
});

test('a start that names nothing is no answer, and neither is one that only names another host', async () => {
  const { tool } = jobTool({ poll: POLL }).job!.request(null);
  expect(await tool.readValue(answer({}))).toMatchObject({ kind: 'invalid' });
  const elsewhere = { 'operation-location': 'https://evil.example/v1/jobs/7' };
  expect(await tool.readValue(answer({ id: '7' }, { headers: elsewhere }))).toEqual({
    kind: 'invalid',
    message: "the start's answer has no Operation-Location or Location at api.acme.example",
  });
});

test('a poll costs nothing, carries no key, and asks for the id as one segment', async () => {
  const { tool } = jobTool().job!.request(running);
  expect(tool).toMatchObject({ price: 0, effect: 'read' });
  const request = await tool.buildRequest({}, { ...context, idempotencyKey: null });
  expect(request).toMatchObject({ method: 'GET', url: 'https://api.acme.example/v1/jobs/a%2F1' });
  expect(Object.keys(request.headers)).not.toContain('Idempotency-Key');
});

test('without a path the address of the start is asked, at the provider’s own host', async () => {
  const { tool } = jobTool({ poll: { ...POLL, request: { query: { full: true } } } }).job!.request(running);
  expect((await tool.buildRequest({}, context)).url).toBe('https://api.acme.example/v1/operations/7?x=1&full=true');
});

test('a poll says running until it says done or failed', async () => {
  const { tool } = jobTool().job!.request(running);
  const says = async (state: string) =>
    (await tool.readValue(answer({ state }))) as unknown as { value: { says: string } };
  expect((await says('queued')).value.says).toBe('running');
  expect((await says('failed')).value.says).toBe('failed');
  expect((await says('done')).value).toMatchObject({ says: 'succeeded', answer: { value: { state: 'done' } } });
});

test('a result of its own is asked for once the job is done, and read by the rules of the response', async () => {
  const tool = jobTool({ result: { path: '/v1/jobs/{{ job.id }}/file' } }, { value: '{{ body.data }}' });
  const done = await tool.job!.request(running).tool.readValue(answer({ state: 'done' }));
  expect(done).toEqual({ kind: 'value', value: { says: 'succeeded', waitIsOurs: false } });
  const { tool: fetches, tellsJob } = tool.job!.request({ ...running, phase: 'succeeded' });
  expect(tellsJob).toBe(false);
  expect((await fetches.buildRequest({}, context)).url).toBe('https://api.acme.example/v1/jobs/a%2F1/file');
  expect(await fetches.readValue(answer({ data: 1 }))).toEqual({ kind: 'value', value: 1 });
});

describe('the version of a tool whose calls are jobs', () => {
  test('is always the same digest of the same rules', () => {
    expect(jobTool().version).toBe('ddef1171912aaf2a');
  });

  test.each([
    ['its deadline', { deadline: '1h' }],
    ['the time between polls', { poll: { ...ASKED, every: '7s' } }],
    ['what is charged', { charged: 'success' }],
    ['how it is given up', { cancel: {} }],
  ])('does not depend on %s', (_, change) => {
    expect(jobTool(change).version).toBe(jobTool().version);
  });

  test.each([
    ['the poll', { poll: { ...POLL, request: { path: '/v2/jobs/{{ job.id }}' } } }],
    ['what says that it is done', { poll: { ...ASKED, succeededWhen: "{{ body.state = 'ready' }}" } }],
    ['the id', { id: '{{ body.job }}' }],
    ['the request of its result', { result: { path: '/v1/jobs/{{ job.id }}/file' } }],
  ])('changes with %s', (_, change) => {
    expect(jobTool(change).version).not.toBe(jobTool().version);
  });
});
