import type { Json } from '../../../contracts/outcomes';
import { httpTool } from './provider-fixture';

const read = (
  response: object,
  answer: { status?: number; headers?: Record<string, string>; body: Json; input?: Json },
) => httpTool({}, response).readValue({ status: 200, headers: {}, input: {}, ...answer });

test('without rules the body is the value', async () => {
  expect(await read({}, { body: { a: [1] } })).toEqual({ kind: 'value', value: { a: [1] } });
  expect(await read({}, { body: null })).toEqual({ kind: 'value', value: null });
});

test('the value may be taken from body, headers, status and input', async () => {
  const value = {
    n: '{{ body.items.name }}',
    from: '{{ headers.`x-region` }}',
    code: '{{ status }}',
    asked: '{{ input.domain }}',
  };
  const answer = {
    body: { items: [{ name: 'a' }, { name: 'b' }] },
    headers: { 'x-region': 'eu' },
    input: { domain: 'x' },
    status: 201,
  };
  expect(await read({ value }, answer)).toEqual({
    kind: 'value',
    value: { n: ['a', 'b'], from: 'eu', code: 201, asked: 'x' },
  });
});

test('an expression that would run for ever fails its call, and the worker runs on', async () => {
  const word = `${'a'.repeat(60)}!`;
  const rules = { value: '{{ $match(body.word, /^(a+)+$/).match }}' };
  expect(await read(rules, { body: { word: 'aa' } })).toEqual({ kind: 'value', value: 'aa' });
  await expect(read(rules, { body: { word } })).resolves.toMatchObject({
    message: expect.stringContaining('was stopped'),
  });
});

test('a documented miss is one in any status', async () => {
  const rules = { missWhen: '{{ status = 404 or body.found = false }}' };
  expect(await read(rules, { status: 404, body: 'Not Found' })).toEqual({ kind: 'missed' });
  expect(await read(rules, { status: 200, body: { found: false } })).toEqual({ kind: 'missed' });
  expect(await read(rules, { status: 200, body: { found: true } })).toMatchObject({ kind: 'value' });
});

test.each([
  ['a status outside 2xx', {}, { status: 500, body: {} }, 'status 500 is no answer'],
  [
    'an error in a 2xx',
    { errorWhen: '{{ body.error }}' },
    { body: { error: 'bad key' } },
    'errorWhen is true for {"error":"bad key"}',
  ],
  ['a value that is not there', { value: '{{ body.data }}' }, { body: {} }, 'response.value finds nothing in {}'],
  ['an expression that fails', { value: '{{ body.a + 1 }}' }, { body: { a: 'x' } }, 'body.a + 1'],
  [
    'an expression without an end',
    { value: '{{ ($f := function($n){ $f($n + 1) + 1 }; $f(1)) }}' },
    { body: {} },
    '$f',
  ],
] as const)('%s is invalid', async (_, rules, answer, message) => {
  expect(await read(rules, answer)).toEqual({ kind: 'invalid', message: expect.stringContaining(message) });
});

test('a long body is cut in messages', async () => {
  const answer = await read({ value: '{{ body.data }}' }, { body: { text: 'x'.repeat(5000) } });
  expect(answer.kind === 'invalid' && answer.message.length).toBeLessThan(200);
});

test('the provider’s request id is read where the rules say, and its absence harms nothing', async () => {
  const answer = { status: 200, headers: { 'x-request-id': 'r-1' }, body: { n: 5 }, input: {} };
  const idBy = (requestId: string) => httpTool({}, { requestId }).readRequestId(answer);
  expect(await idBy('{{ headers.`x-request-id` }}')).toBe('r-1');
  expect(await idBy('{{ body.n }}')).toBe('5');
  expect(await idBy('{{ body.missing }}')).toBeNull();
  expect(await idBy('{{ headers.`x-request-id` + 1 }}')).toBeNull();
  expect(await httpTool({}).readRequestId(answer)).toBeNull();
});
