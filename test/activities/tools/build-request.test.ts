import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../../../contracts/outcomes';
import { httpTool } from './provider-fixture';

const baseUrl = 'https://api.acme.example/base/';
const open = { secret: null, idempotencyKey: null, baseUrl };
const build = (request: object, input: Json) => httpTool(request).buildRequest(input, open);

const withKey = {
  accounts: { default: { secret: { env: 'ACME_KEY' } } },
  auth: { header: 'X-Key', value: 'Key {secret} {secret}' },
  idempotency: { header: 'Idempotency-Key' },
};

test('path, query, headers and body are filled from the input', async () => {
  const request = {
    method: 'POST',
    path: '/v1/{{ input.kind }}/{{ input.id }}',
    query: {
      q: '{{ input.q }}',
      tag: '{{ input.tags }}',
      missing: '{{ input.missing }}',
      none: '{{ input.none }}',
      fixed: 5,
    },
    headers: { 'X-Kind': 'a {{ input.kind }}', 'X-Empty': '{{ input.missing }}' },
    body: { name: '{{ input.q }}', list: ['{{ input.tags }}'], dropped: '{{ input.missing }}' },
  };
  expect(await build(request, { kind: 'firm', id: 7, q: 'a&b c', tags: ['x', 'y/z'], none: null })).toEqual({
    method: 'POST',
    url: 'https://api.acme.example/base/v1/firm/7?q=a%26b%20c&tag=x&tag=y%2Fz&fixed=5',
    headers: { 'X-Kind': 'a firm', accept: 'application/json', 'content-type': 'application/json' },
    secretHeaders: [],
    body: '{"name":"a&b c","list":[["x","y/z"]]}',
  });
});

test('headers of the file win over the defaults, in any case', async () => {
  const { headers } = await build(
    { method: 'POST', headers: { Accept: 'text/plain', 'Content-Type': 'application/vnd.api+json' }, body: {} },
    {},
  );
  expect(headers).toEqual({ Accept: 'text/plain', 'Content-Type': 'application/vnd.api+json' });
});

describe('a value in the path stays one segment', () => {
  test.each([
    ['a/b', 'a%2Fb'],
    ['a?b#c', 'a%3Fb%23c'],
    ['%2e%2e', '%252e%252e'],
    ['ä ', '%C3%A4%20'],
    ['...', '...'],
  ])('%j becomes %s', async (id, segment) => {
    const { url } = await build({ path: '/v1/{{ input.id }}/x' }, { id });
    expect(new URL(url).pathname).toBe(`/base/v1/${segment}/x`);
  });

  test.each([
    ['..', 'expected no "." or ".." segment'],
    ['.', 'expected no "." or ".." segment'],
    ['', 'found ""'],
    [null, 'found null'],
    [['a'], 'found ["a"]'],
    ['\ud800', 'half a surrogate pair'],
  ])('%j is refused', async (id, message) => {
    await expect(build({ path: '/v1/{{ input.id }}' }, { id })).rejects.toMatchObject({
      kind: 'rejected',
      code: 'REQUEST_INVALID',
      message: expect.stringContaining(message),
    });
  });

  test('a missing one is refused, naming the expression', async () => {
    await expect(build({ path: '/v1/{{ input.id }}' }, {})).rejects.toThrow(
      'path: expected text, a number or a boolean from {{ input.id }}, found nothing',
    );
  });
});

test.each(['a\r\nX-Evil: 1', 'a\nb', 'a\u0000', 'snow \u2603'])('a header value is refused: %j', async (value) => {
  await expect(build({ headers: { 'X-Name': '{{ input.v }}' } }, { v: value })).rejects.toMatchObject({
    code: 'REQUEST_INVALID',
    message: expect.stringContaining('headers.X-Name: expected Latin-1 text without line breaks'),
  });
});

test('an expression that fails on the input makes the request invalid', async () => {
  await expect(build({ query: { n: '{{ input.a * 2 }}' } }, { a: 'x' })).rejects.toMatchObject({
    code: 'REQUEST_INVALID',
    message: expect.stringContaining('input.a * 2'),
  });
});

describe('secret and idempotency key', () => {
  const tool = httpTool({}, {}, { file: withKey });

  test('stand in their headers, and the secret one is marked', async () => {
    const request = await tool.buildRequest({}, { secret: 'a$&b', idempotencyKey: 'id-1', baseUrl });
    expect(request.headers).toEqual({
      accept: 'application/json',
      'Idempotency-Key': 'id-1',
      'X-Key': 'Key a$&b a$&b',
    });
    expect(request.secretHeaders).toEqual(['X-Key']);
  });

  test('a secret that breaks the header is refused without being shown', async () => {
    const failure = await tool
      .buildRequest({}, { secret: 'line\nbreak', idempotencyKey: null, baseUrl })
      .catch((error: Error) => error);
    expect(failure).toMatchObject({ code: 'REQUEST_INVALID' });
    expect((failure as Error).message).not.toContain('line\n');
  });

  test('a call without the secret of its account is refused', async () => {
    await expect(tool.buildRequest({}, open)).rejects.toThrow('X-Key: the account has no secret');
  });

  test('a tool whose calls are not idempotent sends no key', async () => {
    const plain = httpTool({}, {}, { file: withKey, tool: { idempotent: false } });
    const { headers } = await plain.buildRequest({}, { secret: 's', idempotencyKey: 'id-1', baseUrl });
    expect(headers).not.toHaveProperty('Idempotency-Key');
  });
});

test('a server gets exactly what was built', async () => {
  const server = createServer((request, response) =>
    response.end(JSON.stringify([request.method, request.url, request.headers['x-name']])),
  );
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tool = httpTool({
    path: '/p/{{ input.id }}',
    query: { 'a b': '{{ input.q }}' },
    headers: { 'X-Name': '{{ input.n }}' },
  });
  const { method, url, headers } = await tool.buildRequest(
    { id: 'ä/b', q: '1+1=2', n: 'é' },
    { ...open, baseUrl: address },
  );
  const seen = await (await fetch(url, { method, headers })).json();
  server.close();
  expect(seen).toEqual(['GET', '/p/%C3%A4%2Fb?a%20b=1%2B1%3D2', 'é']);
});
