// One request on the wire: what comes back when all goes well, and what is said when it does not.
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { profileOf } from '../../../activities/http/profiles/registry';
import { toAnswer } from '../../../activities/http/raw-answer';
import { readAnswer } from '../../../activities/http/read-answer';
import { sendOnce } from '../../../activities/http/send';
import { answerOf, failureOf, send, startAgent, startServer, stopAll } from './local-server';

afterEach(stopAll);

const context = {
  request: { method: 'GET', idempotent: true, keyed: false },
  profile: profileOf('generic'),
  attempt: 1,
  throttleNumber: 1,
  random: () => 0,
};

test('an answer comes with its status, its whole body and every header line in order', async () => {
  const server = await startServer((response) => {
    response.setHeader('Retry-After', ['60', '120']);
    response.writeHead(429, { 'X-Request-Id': 'r1' }).end('slow down');
  });
  const raw = await send(`${server.url}/rows?x=1`, { method: 'POST', headers: { 'x-one': '1' }, body: '{"a":1}' });
  const answer = answerOf(raw);
  expect(answer).toMatchObject({ status: 429, text: 'slow down', bodyComplete: true });
  expect(answer.rawHeaders.slice(0, 3)).toEqual([
    ['Retry-After', '60'],
    ['Retry-After', '120'],
    ['X-Request-Id', 'r1'],
  ]);
  expect(server.requests).toMatchObject([
    { method: 'POST', path: '/rows?x=1', headers: { 'x-one': '1', 'content-length': '7' } },
  ]);
  const verdict = readAnswer(toAnswer(raw), context);
  expect(verdict).toMatchObject({ kind: 'hold', retryAtMs: answer.observedAtMs + 120_000 });
});

test('the clocks that were handed in stamp the arrival of the headers, not of the body', async () => {
  let now = 1_000;
  const server = await startServer((response) => {
    response.writeHead(200).flushHeaders();
    setImmediate(() => response.end('{}'));
  });
  const agent = startAgent();
  const request = { method: 'GET', url: server.url, headers: {}, secretHeaders: [], timeoutMs: 10_000 };
  const raw = await sendOnce(request, { agent, nowMs: () => now++, monotonicMs: () => 5 });
  expect(raw).toMatchObject({ kind: 'answer', observedAtMs: 1_000, observedAtMonotonicMs: 5 });
});

test('informational answers before the real one are no answer', async () => {
  const server = await startServer((response) => {
    response.writeEarlyHints({ link: '</a.css>; rel=preload' });
    response.end('{}');
  });
  expect(answerOf(await send(server.url))).toMatchObject({ status: 200, text: '{}' });
});

test('onSent is called once, before the server has the request', async () => {
  const order: string[] = [];
  const server = await startServer((response) => {
    order.push('arrived');
    response.end('{}');
  });
  await send(server.url, { onSent: () => order.push('sent') });
  expect(order).toEqual(['sent', 'arrived']);
});

test('a refused connection has sent nothing', async () => {
  const listener = createTcpServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  let told = 0;
  const failure = failureOf(
    await send(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x', onSent: () => told++ }),
  );
  expect(failure).toEqual({
    kind: 'failed',
    sent: false,
    answerStarted: false,
    code: 'CONNECT_FAILED',
    message: `POST http://127.0.0.1:${port}/: no connection (ECONNREFUSED)`,
  });
  expect(told).toBe(0);
});

test('a connection that breaks before an answer may have done the work, and the request is not repeated', async () => {
  const server = await startServer((_response, _number, request) => request.socket.resetAndDestroy());
  const failure = failureOf(await send(server.url));
  expect(failure).toMatchObject({ code: 'RESET', sent: true, answerStarted: false });
  expect(server.requests).toHaveLength(1);
});

test('a peer that does not speak HTTP is an invalid answer', async () => {
  const listener = createTcpServer((socket) => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const failure = failureOf(await send(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`));
  await new Promise((resolve) => listener.close(resolve));
  expect(failure).toMatchObject({ code: 'ANSWER_INVALID', sent: true, answerStarted: false });
});

describe('requests that cannot be sent', () => {
  test.each([
    ['a URL that is none', { url: 'nonsense' }],
    ['another protocol', { url: 'ftp://127.0.0.1/' }],
    ['user info in the URL', { url: 'http://me:hunter2@127.0.0.1/' }],
    ['a header value with a line break', { url: 'http://127.0.0.1:9/', headers: { authorization: 'hunter2\r\nx: y' } }],
    ['a time-out that no timer can hold', { url: 'http://127.0.0.1:9/', timeoutMs: 2 ** 31 }],
  ])('%s', async (_what, parts) => {
    const failure = failureOf(await send(parts.url, parts));
    expect(failure).toMatchObject({ code: 'REQUEST_INVALID', sent: false });
    expect(failure.message).not.toContain('hunter2');
  });
});

test('a message names neither header values nor the query string', async () => {
  const server = await startServer((_response, _number, request) => request.socket.destroy());
  const secret = { headers: { authorization: 'Bearer hunter2' }, secretHeaders: ['Authorization'] };
  const failure = failureOf(await send(`${server.url}/v1/rows?api_key=hunter2`, secret));
  expect(failure.message).toContain(`GET ${server.url}/v1/rows: `);
  expect(failure.message).not.toContain('hunter2');
});
