// A job in code: what its functions are given, and what odd answers of theirs end in.
import { z } from 'zod';
import { defineTool } from '../../../activities/tools/define-tool';
import type { CodeToolContext } from '../../../activities/tools/tool';
import type { JobDefinition } from '../../../activities/tools/tool-definition';
import { createToolRegistry } from '../../../activities/tools/tool-registry';
import type { JobState } from '../../../contracts/job';

const context: CodeToolContext = {
  signal: new AbortController().signal,
  idempotencyKey: 'key-1',
  secret: async (name) => `secret of ${name}`,
  log: { info: () => {}, warn: () => {} },
};
const input = z.strictObject({ n: z.number().default(3) });
const output = z.strictObject({ found: z.string() });
type Definition = JobDefinition<typeof input, typeof output>;

const defined = (own: Partial<Definition> = {}) =>
  defineTool({
    kind: 'job',
    name: 'dig',
    effect: 'read',
    price: 0.5,
    version: '1',
    idempotent: true,
    input,
    output,
    start: async ({ n }, { idempotencyKey }) => ({ id: `${idempotencyKey}/${n}` }),
    poll: async () => ({ status: 'succeeded', value: { found: 'gold' } }),
    ...own,
  });
const state: JobState = {
  ...{ id: 'j1', phase: 'running', startedAtMs: 7, polls: 2, charged: 0.5 },
  billing: { billingRequestId: 'b', idempotencyKey: null, sentAtMs: 1, invocationAttempt: 1 },
};
const run = (own: Partial<Definition>, job: JobState | null, given: { n?: number } = {}) =>
  defined(own).job!.request(job).execute(given, context);

test('the start gets the checked input and the key, and names the job and its first poll', async () => {
  expect(await run({}, null)).toMatchObject({ says: 'started', id: 'key-1/3' });
  expect(await run({ start: async () => ({ id: 'x', pollAtMs: 99 }) }, null)).toMatchObject({ id: 'x', pollAtMs: 99 });
});

test('a start without an id is no answer, and is charged where a start is', async () => {
  const start = async () => ({ id: '' });
  await expect(run({ start }, null)).rejects.toMatchObject({ code: 'RESPONSE_INVALID', charged: 0.5 });
  await expect(run({ start, charged: 'success' }, null)).rejects.toMatchObject({ charged: 0 });
});

test('a poll gets the job with its input, and its answer tells how the job stands', async () => {
  const seen: unknown[] = [];
  const poll: Definition['poll'] = async (job) => {
    seen.push(job);
    return { status: 'running', pollAtMs: 5, detail: 'a tenth' };
  };
  expect(await run({ poll }, state, { n: 4 })).toEqual({
    says: 'running',
    waitIsOurs: true,
    pollAtMs: 5,
    shown: 'a tenth',
  });
  expect(seen).toEqual([{ id: 'j1', startedAtMs: 7, polls: 2, input: { n: 4 } }]);
  const failed = async () => ({ status: 'failed', message: 'no ore' }) as const;
  expect(await run({ poll: failed }, state)).toMatchObject({ says: 'failed', shown: 'no ore' });
});

test('the result is the value of the poll, or what result fetches', async () => {
  const answer = { kind: 'value', value: { found: 'gold' } };
  expect(await run({}, state)).toMatchObject({ says: 'succeeded', answer });
  const fetched: Partial<Definition> = {
    poll: async () => ({ status: 'succeeded' }),
    result: async ({ id }) => ({ found: `of ${id}` }),
  };
  expect(await run(fetched, state)).toEqual({ says: 'succeeded', waitIsOurs: true });
  expect(await run(fetched, { ...state, phase: 'succeeded' })).toEqual({ found: 'of j1' });
});

test.each([
  ['none, although nothing fetches it', undefined],
  ['another form', { found: 1 } as never],
])('a result of %s is not what the tool promises', async (_, value) => {
  const poll: Definition['poll'] = async () => ({ status: 'succeeded', ...(value === undefined ? {} : { value }) });
  expect(await run({ poll }, state)).toMatchObject({ says: 'succeeded', answer: { kind: 'invalid' } });
});

test('a job is given up by cancel alone, and only when there is one', async () => {
  const given: string[] = [];
  const cancel: Definition['cancel'] = async ({ id }) => void given.push(id);
  const giveUp = defined({ cancel }).job!.request({ ...state, phase: 'cancelling' });
  expect(await giveUp.execute({}, context)).toBeNull();
  expect({ given, tellsJob: giveUp.tellsJob }).toEqual({ given: ['j1'], tellsJob: false });
  expect(defined().job).toMatchObject({ canCancel: false, pollEveryMs: 10_000, charged: 'start' });
});

test('waits out of bounds, and a free read whose start could be sent twice, are refused when the worker starts', () => {
  const codeTools = [defined({ pollEveryMs: 10, deadlineMs: Number.NaN, idempotent: false, price: 0 })];
  expect(() => createToolRegistry({ providers: [], codeTools })).toThrow(
    expect.objectContaining({
      problems: [
        { path: 'local.dig', message: 'pollEveryMs: expected 1000 to 86400000, got 10' },
        { path: 'local.dig', message: 'deadlineMs: expected 1000 to 2592000000, got NaN' },
        { path: 'local.dig', message: expect.stringMatching(/^effect: expected "write": without an idempotency key/) },
      ],
    }),
  );
});
