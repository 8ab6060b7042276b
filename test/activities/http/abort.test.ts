// Abort ends a request wherever it is, and leaves no listener on the caller's signal.
import { getEventListeners } from 'node:events';
import { firstConnectionClosed, send, startAgent, startServer, stopAll } from './local-server';

afterEach(stopAll);

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

test('before the start: nothing is sent', async () => {
  const server = await startServer((response) => response.end('{}'));
  const signal = AbortSignal.abort();
  expect(await send(server.url, { signal })).toMatchObject({ code: 'ABORTED', sent: false });
  expect(server.requests).toHaveLength(0);
  expect(listenersOf(signal)).toBe(0);
});

test('while waiting for a connection: nothing is sent, not later either', async () => {
  let arrive = () => {};
  const firstArrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const server = await startServer((response, number) => {
    if (number === 1) arrive();
    else response.end('{}');
  });
  const agent = startAgent({ connectionsPerOrigin: 1 });
  const [first, second] = [new AbortController(), new AbortController()];
  const blocking = send(server.url, { signal: first.signal }, agent);
  await firstArrived;
  let told = 0;
  const waiting = send(`${server.url}/second`, { signal: second.signal, onSent: () => told++ }, agent);
  second.abort();
  expect(await waiting).toMatchObject({ code: 'ABORTED', sent: false, answerStarted: false });
  first.abort();
  expect(await blocking).toMatchObject({ code: 'ABORTED', sent: true });
  expect(await send(`${server.url}/third`, {}, agent)).toMatchObject({ status: 200 });
  expect(server.requests.map((request) => request.path)).toEqual(['/', '/third']);
  expect(told).toBe(0);
});

test('while the server thinks: the request may have been done, and the socket is closed', async () => {
  const caller = new AbortController();
  const server = await startServer(() => caller.abort());
  expect(await send(server.url, { signal: caller.signal })).toMatchObject({
    code: 'ABORTED',
    sent: true,
    answerStarted: false,
  });
  await firstConnectionClosed(server);
  expect(listenersOf(caller.signal)).toBe(0);
});

test('in the middle of a body', async () => {
  const caller = new AbortController();
  const server = await startServer((response) =>
    response.writeHead(200).write('{"data":', () => setImmediate(() => caller.abort())),
  );
  const raw = await send(server.url, { signal: caller.signal });
  expect(raw).toMatchObject({ kind: 'failed', code: 'ABORTED', sent: true });
  expect(listenersOf(caller.signal)).toBe(0);
});

test('many requests on one long-lived signal leave no listener, answered, refused or failed', async () => {
  const server = await startServer((response, number, request) => {
    if (number % 3 === 0) request.socket.destroy();
    else response.writeHead(number % 3 === 1 ? 200 : 429, { 'retry-after-ms': '10' }).end('{}');
  });
  const { signal } = new AbortController();
  const agent = startAgent();
  for (let count = 0; count < 60; count++) await send(server.url, { signal }, agent);
  expect(server.requests).toHaveLength(60);
  expect(listenersOf(signal)).toBe(0);
});

test('no timer is left behind, whatever the time-out was', async () => {
  const server = await startServer((response, number) => response.writeHead(number === 1 ? 200 : 429).end('{}'));
  const agent = startAgent();
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  const before = timers();
  await send(server.url, { timeoutMs: 600_000 }, agent);
  await send(server.url, { timeoutMs: 600_000 }, agent);
  expect(timers()).toBe(before);
});
