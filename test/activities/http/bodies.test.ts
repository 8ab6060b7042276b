// Bodies: cut, stalled, trickling, too large. The deadline covers them, and of a refusal its status and headers always count.
import { profileOf } from '../../../activities/http/profiles/registry';
import { toAnswer } from '../../../activities/http/raw-answer';
import { readAnswer } from '../../../activities/http/read-answer';
import { answerOf, failureOf, firstConnectionClosed, send, startServer, stopAll } from './local-server';

afterEach(stopAll);

const context = {
  request: { method: 'GET', idempotent: true, keyed: false },
  profile: profileOf('generic'),
  attempt: 1,
  throttleNumber: 1,
  random: () => 0,
};

describe('a body that ends early is never a success', () => {
  test.each([
    ['shorter than its Content-Length', { 'content-length': '100' }],
    ['shorter than its Content-Length, on a connection that closes', { 'content-length': '100', connection: 'close' }],
    ['cut between two chunks', {}],
    ['cut between two chunks, on a connection that closes', { connection: 'close' }],
  ])('%s', async (_how, headers) => {
    const server = await startServer((response) => {
      response.writeHead(200, { 'content-type': 'text/plain', ...headers });
      response.write('half', () => response.socket?.end());
    });
    expect(failureOf(await send(server.url))).toMatchObject({
      code: 'BODY_CUT',
      sent: true,
      answerStarted: true,
      status: 200,
    });
  });

  test('the connection is reset in the middle', async () => {
    const server = await startServer((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.socket?.resetAndDestroy());
    });
    expect(failureOf(await send(server.url))).toMatchObject({ code: 'BODY_CUT', status: 200 });
  });

  test('of a refusal the status and the headers still count', async () => {
    const server = await startServer((response) => {
      response.writeHead(429, { 'retry-after': '7', 'content-length': '100' });
      response.write('half', () => response.socket?.resetAndDestroy());
    });
    const raw = await send(server.url);
    expect(answerOf(raw)).toMatchObject({ status: 429, text: 'half', bodyComplete: false });
    expect(readAnswer(toAnswer(raw), context)).toMatchObject({ kind: 'hold', scope: 'account' });
  });
});

describe('the deadline covers everything', () => {
  test('a server that never answers', async () => {
    const server = await startServer(() => undefined);
    const failure = failureOf(await send(server.url, { timeoutMs: 50 }));
    expect(failure).toMatchObject({ code: 'TIMED_OUT', sent: true, answerStarted: false });
    expect(server.requests).toHaveLength(1);
  });

  test('a body that stalls', async () => {
    const server = await startServer((response) => response.writeHead(200).write('{"data":'));
    const raw = await send(server.url, { timeoutMs: 100 });
    expect(failureOf(raw)).toMatchObject({ code: 'TIMED_OUT', answerStarted: true, status: 200 });
    expect(readAnswer(toAnswer(raw), context)).toMatchObject({ kind: 'transient', code: 'BODY_TIMEOUT' });
  });

  test('a body that keeps trickling', async () => {
    let trickle: NodeJS.Timeout | undefined;
    const server = await startServer((response) => {
      response.writeHead(200);
      trickle = setInterval(() => response.write(' '), 5);
    });
    const raw = await send(server.url, { timeoutMs: 100 });
    clearInterval(trickle);
    expect(failureOf(raw)).toMatchObject({ code: 'TIMED_OUT', answerStarted: true });
  });

  test('the stalled body of a refusal, whose status and headers count', async () => {
    const server = await startServer((response) => response.writeHead(503, { 'retry-after': '9' }).write('down'));
    expect(answerOf(await send(server.url, { timeoutMs: 100 }))).toMatchObject({
      status: 503,
      text: 'down',
      bodyComplete: false,
    });
  });

  test('a refusal whose body stalls is given up long before the deadline, and its socket with it', async () => {
    const server = await startServer((response) => response.writeHead(429, { 'retry-after': '9' }).write('slow'));
    const raw = await send(server.url, { timeoutMs: 600_000 });
    expect(answerOf(raw)).toMatchObject({ status: 429, text: 'slow', bodyComplete: false });
    await firstConnectionClosed(server);
  });
});

describe('sizes', () => {
  test('of a large refusal only a prefix is kept, and its socket is released', async () => {
    const server = await startServer((response) =>
      response.writeHead(429, { 'retry-after': '5' }).end('x'.repeat(5_000_000)),
    );
    const raw = answerOf(await send(server.url));
    expect(raw.body).toHaveLength(65_536);
    expect(raw.bodyComplete).toBe(false);
    await firstConnectionClosed(server);
  });

  test('a 2xx body over the limit is refused, one at the limit is not', async () => {
    const server = await startServer((response, number) => response.end('x'.repeat(number === 1 ? 1_000 : 1_001)));
    expect(answerOf(await send(server.url, { maxBodyBytes: 1_000 })).body).toHaveLength(1_000);
    expect(failureOf(await send(server.url, { maxBodyBytes: 1_000 }))).toMatchObject({
      code: 'TOO_LARGE',
      status: 200,
    });
  });
});
