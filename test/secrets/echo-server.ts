// A provider without discretion: it says the Authorization header back in answers, error bodies, headers and broken bodies.
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
    const domain = new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('domain') ?? '';
    const count = (tries.get(domain) ?? 0) + 1;
    tries.set(domain, count);
    authorizations.push(said);
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': `req-${said}` });
      response.end(JSON.stringify(body));
    };
    if (domain === 'r0.example') answer(200, { data: { domain, said: `you sent ${said}`, list: [said], [said]: 1 } });
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
