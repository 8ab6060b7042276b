// Encoded bodies: decoded within a limit, told apart from cut and broken ones.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { send, startServer, stopAll } from './local-server';

afterEach(stopAll);

const text = JSON.stringify({ data: 'é'.repeat(1_000) });

const serve = (body: Buffer, encoding: string | string[], status = 200) =>
  startServer((response) => {
    response.setHeader('content-encoding', encoding);
    response.writeHead(status).end(body);
  });

test.each([
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['br', brotliCompressSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['gzip, br', brotliCompressSync(gzipSync(text))],
  ['identity', Buffer.from(text)],
])('%s', async (encoding, body) => {
  const server = await serve(body, encoding);
  const raw = await send(server.url);
  expect(raw.kind === 'answer' && raw.body.toString()).toBe(text);
  expect(server.requests[0]?.headers['accept-encoding']).toBe('gzip, deflate, br');
});

test('an empty body with an encoding is empty', async () => {
  const server = await startServer((response) => response.writeHead(204, { 'content-encoding': 'gzip' }).end());
  expect(await send(server.url)).toMatchObject({ kind: 'answer', status: 204, bodyComplete: true });
});

const bomb = gzipSync(Buffer.alloc(50_000_000));

test('a bomb is refused', async () => {
  const server = await serve(bomb, 'gzip');
  expect(await send(server.url, { maxBodyBytes: 1_000_000 })).toMatchObject({
    code: 'TOO_LARGE',
    sent: true,
    status: 200,
  });
});

test('a bomb inside a bomb is refused', async () => {
  const server = await serve(gzipSync(bomb), ['gzip', 'gzip']);
  expect(await send(server.url, { maxBodyBytes: 1_000_000 })).toMatchObject({ code: 'TOO_LARGE' });
});

test('of a bomb in a refusal a prefix is kept', async () => {
  const server = await serve(bomb, 'gzip', 429);
  const raw = await send(server.url);
  expect(raw).toMatchObject({ kind: 'answer', status: 429, bodyComplete: false });
  expect(raw.kind === 'answer' && raw.body.length).toBe(65_536);
});

test('encoded data that ends early is a cut body, however whole the message around it', async () => {
  const whole = gzipSync(text);
  const server = await serve(whole.subarray(0, whole.length - 9), 'gzip');
  expect(await send(server.url)).toMatchObject({ code: 'BODY_CUT', status: 200 });
});

test('data that is not what its encoding says is unreadable; a refusal counts all the same', async () => {
  const [success, refusal] = [await serve(Buffer.from(text), 'gzip'), await serve(Buffer.from(text), 'gzip', 429)];
  expect(await send(success.url)).toMatchObject({ code: 'BODY_UNREADABLE', answerStarted: true });
  expect(await send(refusal.url)).toMatchObject({ kind: 'answer', status: 429, bodyComplete: false });
});
