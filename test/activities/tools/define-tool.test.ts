import { z } from 'zod';
import { defineTool } from '../../../activities/tools/define-tool';
import { textNormalize } from '../../../activities/tools/text-normalize';
import type { CodeToolContext } from '../../../activities/tools/tool';
import { Missed, Rejected, Throttled } from '../../../activities/tools/tool-errors';

const context: CodeToolContext = {
  signal: new AbortController().signal,
  idempotencyKey: 'id-1',
  secret: async (name) => `secret of ${name}`,
  log: { info: () => {}, warn: () => {} },
};

const facts = { name: 'probe', effect: 'read', price: 0, version: '1', idempotent: true } as const;

test('the run gets the checked input with its defaults and the context', async () => {
  const tool = defineTool({
    ...facts,
    input: z.strictObject({ n: z.number().default(3) }),
    output: z.string(),
    run: async ({ n }, { idempotencyKey, secret }) => `${n} ${idempotencyKey} ${await secret('account')}`,
  });
  expect(await tool.execute({}, context)).toBe('3 id-1 secret of account');
  expect(tool).toMatchObject({ kind: 'code', name: 'local.probe', provider: 'local', share: 'run', timeoutMs: 30_000 });
});

test('an input of another form is no request, and the run is not called', async () => {
  let called = false;
  const tool = defineTool({
    ...facts,
    input: z.strictObject({ list: z.array(z.string()) }),
    output: z.null(),
    run: async () => {
      called = true;
      return null;
    },
  });
  await expect(tool.execute({ list: ['a', 1] }, context)).rejects.toMatchObject({
    code: 'REQUEST_INVALID',
    message: expect.stringMatching(/^input: list\[1\]: /),
  });
  expect(called).toBe(false);
});

test.each([
  ['another form', z.number(), 'text'],
  ['no JSON', z.any(), () => 1],
])('a value of %s is no answer', async (_, output, value) => {
  const tool = defineTool({ ...facts, input: z.any(), output: output as z.ZodType, run: async () => value as never });
  await expect(tool.execute(null, context)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
});

test('values become plain JSON', async () => {
  const tool = defineTool({
    ...facts,
    input: z.any(),
    output: z.any(),
    run: async () => ({ a: undefined, b: Number.NaN }),
  });
  expect(await tool.execute(null, context)).toEqual({ b: null });
});

test.each([new Throttled({ retryAtMs: 5 }), new Missed(), new Rejected('no', { charged: 2 }), new TypeError('bug')])(
  'what the run throws comes through as it is: %p',
  async (error) => {
    const tool = defineTool({ ...facts, input: z.any(), output: z.any(), run: () => Promise.reject(error) });
    await expect(tool.execute(null, context)).rejects.toBe(error);
  },
);

describe('local.text-normalize', () => {
  test.each([
    [{ text: '  Acme\u00a0\n GmbH ' }, 'Acme GmbH'],
    [{ text: 'ＡＣＭＥ ﬁrm', case: 'lower' }, 'acme firm'],
    [{ text: 'e\u0301', case: 'upper' }, 'É'],
    [{ text: ' ' }, ''],
  ])('%j becomes %j', async (input, text) => {
    expect(await textNormalize.execute(input, context)).toBe(text);
  });
});
