// Serves release files of the Temporal CLI on loopback as GitHub does, whole or broken in the ways a network breaks them.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReleaseServer {
  readonly url: string;
  /** Paths in the order in which they were asked for. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** What to answer for one file; `truncated` declares the whole length and sends half. */
export type ReleaseFile = Buffer | 'missing' | { readonly truncated: Buffer };

/** Serves `files` by name; all else is 404. */
export async function serveRelease(files: Record<string, ReleaseFile>): Promise<ReleaseServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').slice(1);
    requests.push(name);
    const file = files[name] ?? 'missing';
    if (file === 'missing') {
      response.writeHead(404).end('Not Found');
    } else if (Buffer.isBuffer(file)) {
      response.writeHead(200, { 'content-length': file.length }).end(file);
    } else {
      response.writeHead(200, { 'content-length': file.truncated.length });
      response.write(file.truncated.subarray(0, file.truncated.length / 2), () => response.destroy());
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** One line of a checksums file. */
export function checksumLine(content: Buffer, name: string): string {
  return `${createHash('sha256').update(content).digest('hex')}  ${name}\n`;
}
