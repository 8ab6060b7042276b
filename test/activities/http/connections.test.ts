// Reuse of connections: sockets come back after refusals, and a dead one costs no second request.
import { firstConnectionClosed, send, startAgent, startServer, stopAll } from './local-server';

afterEach(stopAll);

test('a hundred refusals over a pool of one socket use one socket, and all end', async () => {
  const server = await startServer((response) =>
    response.writeHead(429, { 'retry-after': '1' }).end('{"error":"slow down"}'),
  );
  const agent = startAgent({ connectionsPerOrigin: 1 });
  const answers = await Promise.all(Array.from({ length: 100 }, () => send(server.url, {}, agent)));
  expect(new Set(answers.map((raw) => raw.kind === 'answer' && raw.status))).toEqual(new Set([429]));
  expect(server.requests).toHaveLength(100);
  expect(server.connections).toHaveLength(1);
});

test('a large refusal does not block the pool for the next request', async () => {
  const server = await startServer((response, number) => {
    if (number === 1) response.writeHead(429).end('x'.repeat(1_000_000));
    else response.end('{}');
  });
  const agent = startAgent({ connectionsPerOrigin: 1 });
  await send(server.url, {}, agent);
  expect(await send(server.url, {}, agent)).toMatchObject({ kind: 'answer', status: 200 });
});

test('a kept-alive socket that the server closed while idle is replaced, with one request on the wire', async () => {
  const server = await startServer((response) => response.end('{}'));
  const agent = startAgent();
  await send(server.url, {}, agent);
  server.connections[0]?.end();
  await firstConnectionClosed(server);
  expect(await send(server.url, {}, agent)).toMatchObject({ kind: 'answer', status: 200 });
  expect(server.requests).toHaveLength(2);
  expect(server.connections).toHaveLength(2);
});

test.each(['GET', 'POST'])(
  'a reused socket that breaks under a %s is a failure that was sent, not a second request',
  async (method) => {
    const server = await startServer((response, number, request) => {
      if (number === 1) response.end('{}');
      else request.socket.resetAndDestroy();
    });
    const agent = startAgent({ connectionsPerOrigin: 1 });
    await send(server.url, {}, agent);
    const raw = await send(server.url, { method }, agent);
    expect(raw).toMatchObject({ kind: 'failed', code: 'RESET', sent: true, answerStarted: false });
    expect(server.connections).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
  },
);
