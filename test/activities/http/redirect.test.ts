// Redirects: the safe ones are followed, a secret stays with its origin, and a wait comes before the next hop.

import { profileOf } from '../../../activities/http/profiles/registry';
import { toAnswer } from '../../../activities/http/raw-answer';
import { readAnswer } from '../../../activities/http/read-answer';
import { type LocalServer, send, startServer, stopAll } from './local-server';

afterEach(stopAll);

const secret = { headers: { 'X-Api-Key': 'hunter2' }, secretHeaders: ['x-api-key'] };

const redirectTo = (location: string, status = 302, headers = {}) =>
  startServer((response, _number, request) => {
    if (request.url === '/end') response.end('{"end":true}');
    else response.writeHead(status, { location, ...headers }).end();
  });

const paths = (server: LocalServer) => server.requests.map((request) => request.path);

test.each([301, 302, 303, 307, 308])('a %i within the origin is followed, with its secret', async (status) => {
  const server = await redirectTo('/end', status);
  let told = 0;
  expect(await send(`${server.url}/start`, { ...secret, onSent: () => told++ })).toMatchObject({
    kind: 'answer',
    status: 200,
  });
  expect(paths(server)).toEqual(['/start', '/end']);
  expect(server.requests[1]?.headers['x-api-key']).toBe('hunter2');
  expect(told).toBe(1);
});

test('a redirect to another origin is not followed with a secret', async () => {
  const other = await startServer((response) => response.end('{}'));
  const server = await redirectTo(`${other.url}/end`);
  const raw = await send(`${server.url}/start`, secret);
  expect(raw).toMatchObject({ kind: 'answer', status: 302 });
  expect(other.requests).toEqual([]);
  const context = { request: { method: 'GET', idempotent: true, keyed: false }, attempt: 1, throttleNumber: 1 };
  const verdict = readAnswer(toAnswer(raw), { ...context, profile: profileOf('generic'), random: () => 0 });
  expect(verdict).toMatchObject({ kind: 'terminal', scope: 'row', code: 'REDIRECT_NOT_FOLLOWED' });
});

test('without a secret it is', async () => {
  const other = await startServer((response) => response.end('{}'));
  const server = await redirectTo(`${other.url}/end`);
  expect(await send(`${server.url}/start`)).toMatchObject({ kind: 'answer', status: 200 });
  expect(paths(other)).toEqual(['/end']);
});

test('five hops and no more', async () => {
  const server = await redirectTo('/again');
  expect(await send(`${server.url}/start`)).toMatchObject({ kind: 'answer', status: 302 });
  expect(paths(server)).toEqual(['/start', '/again', '/again', '/again', '/again', '/again']);
});

test.each([
  ['a POST', { method: 'POST', body: 'x' }, '/end', {}],
  ['a target that is no web address', {}, 'file:///etc/passwd', {}],
  ['a target that is no URL', {}, 'http://', {}],
  ['a redirect that asks to wait', {}, '/end', { 'retry-after': '120' }],
  ['a redirect that says nothing is left', {}, '/end', { ratelimit: '"p";r=0;t=10' }],
])('%s is not followed', async (_what, parts, location, headers) => {
  const server = await redirectTo(location, 307, headers);
  expect(await send(`${server.url}/start`, parts)).toMatchObject({ kind: 'answer', status: 307 });
  expect(paths(server)).toEqual(['/start']);
});

test('a broken connection on the second hop has sent something', async () => {
  const server = await startServer((response, number, request) => {
    if (number === 1) response.writeHead(302, { location: '/end' }).end();
    else request.socket.destroy();
  });
  expect(await send(server.url)).toMatchObject({ kind: 'failed', code: 'RESET', sent: true });
});
