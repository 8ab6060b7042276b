// Datasets over HTTP against a real server on loopback: what may be connected to, and what counts as a whole file.
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { HostRules } from '../../../activities/datasets/http/checked-lookup';
import { caseById, expectCaseError } from '../../helpers/dataset-cases';
import { admissionError, admit } from '../../helpers/dataset-harness';
import { useTemporaryFolder } from '../../helpers/temporary-folder';
import { startServer, stopAll } from '../http/local-server';

const folder = useTemporaryFolder();
afterEach(stopAll);

const LOCAL = { privateHosts: ['127.0.0.1'] };
const runOf = (csv: string, hosts: HostRules = LOCAL, rest: object = {}) => ({
  folder: folder(),
  dataset: { csv, ...rest },
  hosts,
});

/** A server for every name, as far as one on loopback can be: its names resolve to it and are allowed. */
async function serverNamed(host: string, answer: (response: ServerResponse, number: number) => void) {
  const server = await startServer(answer);
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  return { ...server, url: server.url.replace('127.0.0.1', host), hosts: { privateHosts: [host], resolve } };
}

test('SRC-13 private addresses are refused in every spelling, and no connection is opened', async () => {
  const one = caseById('SRC-13');
  const server = await startServer((response) => response.end('id\n1\n'));
  for (const url of JSON.parse(one.inputText!) as string[]) {
    const there = new URL(url);
    there.port = new URL(server.url).port;
    const error = await admissionError(runOf(url.includes('@') ? url : there.href, { privateHosts: [] }));
    expectCaseError(error, one);
  }
  expect(server.connections).toEqual([]);
});

test('SRC-15 a name with one private address among its addresses is refused', async () => {
  const one = caseById('SRC-15');
  const server = await startServer((response) => response.end('id\n1\n'));
  const answers = (one.options.resolve as { [host: string]: string[] })['rebind.example.test']!;
  const url = `http://rebind.example.test:${new URL(server.url).port}/a.csv`;
  for (const addresses of [answers, [...answers].reverse(), ['93.184.216.34', '127.0.0.1']]) {
    const resolve = async () => addresses.map((address) => ({ address, family: 4 }));
    expectCaseError(await admissionError(runOf(url, { privateHosts: [], resolve })), one);
  }
  expect(server.connections).toEqual([]);
});

test('SRC-17 a body shorter than its Content-Length is no whole file', async () => {
  const one = caseById('SRC-17');
  const [answer] = Object.values(one.options.server as { [url: string]: { body: string } });
  const server = await serverNamed('files.example.test', (response) => {
    response.writeHead(200, { 'content-length': 40 });
    response.write(answer!.body, () => response.destroy());
  });
  expectCaseError(await admissionError(runOf(`${server.url}/a.csv`, server.hosts)), one);
});

test('SRC-18 a login page is no data', async () => {
  const one = caseById('SRC-18');
  const server = await serverNamed('files.example.test', (response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html>');
  });
  expectCaseError(await admissionError(runOf(`${server.url}/a.csv`, server.hosts)), one);
});

test('a file is read over redirects, plain and gzip, with and without a length, at every chunk size', async () => {
  const text = 'id,v\n1,é\n2,"a\nb"\n';
  const server = await startServer((response, _number, request) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/a.csv.gz' }).end();
    else if (request.url === '/a.csv') response.writeHead(200, { 'content-length': Buffer.byteLength(text) }).end(text);
    else response.writeHead(200).end(gzipSync(text));
  });
  const expected = [
    { id: '1', v: 'é' },
    { id: '2', v: 'a\nb' },
  ];
  for (const path of ['/a.csv', '/moved', '/a.csv.gz']) {
    for (const chunkBytes of [1, 3, 65_536]) {
      const { admitted, warnings, sourcePaths } = await admit({ ...runOf(`${server.url}${path}`), chunkBytes });
      expect(admitted.map(({ input }) => ({ ...input }))).toEqual(expected);
      expect([warnings, sourcePaths]).toEqual([[], []]);
    }
  }
});

test.each([
  ['http://169.254.169.254/latest', 'E_SOURCE_NOT_ALLOWED', /169\.254\.169\.254 is no public address/],
  ['file:///etc/passwd', 'E_SOURCE_NOT_ALLOWED', /leads to file:/],
  ['http://user:pass@127.0.0.1/', 'E_SOURCE_NOT_ALLOWED', /user or password/],
  ['/round', 'E_SOURCE_UNREADABLE', /redirected more than 5 times/],
])('a redirect to %s is %s', async (location, code, message) => {
  const server = await startServer((response) => response.writeHead(302, { location }).end());
  const error = await admissionError(runOf(`${server.url}/a.csv`));
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  expect(server.requests.length).toBeLessThanOrEqual(6);
});

test.each([
  [404, 'E_SOURCE_NOT_FOUND'],
  [500, 'E_SOURCE_UNREADABLE'],
  [206, 'E_SOURCE_UNREADABLE'],
])('the status %i is %s', async (status, code) => {
  const server = await startServer((response) => response.writeHead(status).end('id\n1\n'));
  expect(await admissionError(runOf(`${server.url}/a.csv`))).toMatchObject({ code });
});

test('sizes are counted while they arrive, whatever the server says, and a signature is not repeated in an error', async () => {
  const server = await startServer((response) => response.writeHead(200).end('id\n1\n2\n3\n4\n'));
  const error = await admissionError(runOf(`${server.url}/a.csv?sig=geheim`, LOCAL, { maxSourceBytes: 8 }));
  expect(error).toMatchObject({ code: 'E_SOURCE_TOO_LARGE', message: expect.stringContaining('/a.csv?…: ') });
  expect(error.message).not.toContain('geheim');
});

test('a URL is read from a variable of the worker, which errors name instead of it', async () => {
  const server = await startServer((response, _number, request) =>
    response.writeHead(request.url === '/s3cr3t/a.csv?sig=geheim' ? 200 : 404).end('id\n1\n'),
  );
  const variable = 'SLUICE_TEST_LEADS_URL';
  const run = (rest: object = {}) => ({ ...runOf('', LOCAL), dataset: { csv: { env: variable }, ...rest } });
  const errorOf = async (url: string | undefined, rest: object = {}) => {
    if (url === undefined) delete process.env[variable];
    else process.env[variable] = url;
    const error = await admissionError(run(rest));
    expect(error.message).toContain(variable);
    expect(error.message).not.toMatch(/geheim|s3cr3t/);
    return error;
  };
  try {
    const url = `${server.url}/s3cr3t/a.csv?sig=geheim`;
    expect(await errorOf(undefined)).toMatchObject({
      code: 'E_SOURCE_UNREADABLE',
      message: expect.stringContaining('not set'),
    });
    expect(await errorOf('/etc/geheim')).toMatchObject({ code: 'E_SOURCE_UNREADABLE' });
    expect(await errorOf(`${url}-`)).toMatchObject({ code: 'E_SOURCE_NOT_FOUND' });
    expect(await errorOf(url, { maxSourceBytes: 2 })).toMatchObject({ code: 'E_SOURCE_TOO_LARGE' });
    expect((await admit(run())).admitted.map(({ input }) => input.id)).toEqual(['1']);
  } finally {
    delete process.env[variable];
  }
});

test('a server that is not there is named', async () => {
  const error = await admissionError(runOf('http://127.0.0.1:9/a.csv'));
  expect(error).toMatchObject({ code: 'E_SOURCE_UNREADABLE', message: expect.stringContaining('127.0.0.1:9') });
});
