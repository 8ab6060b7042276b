// A provider without discretion: it says the Authorization header back in answers, error bodies, headers and addresses to go on to.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EchoServer {
  url: string;
  /** Of each request, in order. */
  authorizations: string[];
  close(): Promise<void>;
}

export async function startEchoServer(): Promise<EchoServer> {
  const authorizations: string[] = [];
  const tries = new Map<string, number>();
  const server = createServer((request, response) => {
    const said = request.headers.authorization ?? '';
    const path = new URL(request.url ?? '', 'http://127.0.0.1').pathname;
    const domain = new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('domain') ?? '';
    if (path === '/leads.csv') return response.end('domain\nr0.example\n');
    const count = (tries.get(domain) ?? 0) + 1;
    tries.set(domain, count);
    authorizations.push(said);
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': `req-${said}` });
      response.end(JSON.stringify(body));
    };
    const redirect = (location: string) => response.writeHead(302, { location }).end(`moved to ${location}`);
    const here = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const token = encodeURIComponent(said.replace('Bearer ', ''));
    if (path.startsWith('/shut')) answer(401, { error: { message: `no such key: ${said}` } });
    else if (path === '/landed') answer(200, { data: { domain: 'landed.example', url: request.url ?? '' } });
    else if (domain === 'r4.example') redirect(`http://localhost:1/elsewhere?key=${token}`);
    else if (domain === 'r5.example') redirect(`/landed?key=${token}`);
    else if (domain === 'r6.example') redirect(`http://user:${token}@${here}/landed`);
    else if (domain === 'r7.example' && count === 1) {
      response.writeHead(429, { 'retry-after': '1', 'x-said': said }).end(`slow down, ${said}`);
    } else if (domain === 'r7.example') answer(200, { data: { domain } });
    else if (domain === 'r0.example')
      answer(200, { data: { domain, said: `you sent ${said}`, list: [said], [said]: 1 } });
    else if (domain === 'r1.example') answer(400, { error: { message: `bad header ${said}` } });
    else if (domain === 'r2.example' && count === 1) answer(500, { error: said });
    else if (domain === 'r2.example') answer(200, { data: { domain } });
    else answer(422, { error: { code: said, message: [said] } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    authorizations,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
