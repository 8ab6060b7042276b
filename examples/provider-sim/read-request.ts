// Reads one HTTP request into plain data.
import type { IncomingMessage } from 'node:http';
import type { Json } from '../../contracts/outcomes';

const MAX_BODY_BYTES = 1024 * 1024;

export interface SimRequest {
  method: string;
  /** First part of the path. */
  provider: string;
  /** Without the query. */
  path: string;
  /** Query parameters and the members of a JSON body. */
  input: { [name: string]: Json };
  authorization: string | null;
  idempotencyKey: string | null;
  /** The body as text, for the control interface. */
  body: string;
}

/** @throws Error when the client goes away before its body is complete, or the body is over 1 MiB */
export async function readRequest(incoming: IncomingMessage): Promise<SimRequest> {
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
  const body = await readBody(incoming);
  const key = incoming.headers['idempotency-key'];
  return {
    method: incoming.method ?? 'GET',
    provider: url.pathname.split('/')[1] ?? '',
    path: url.pathname,
    input: { ...Object.fromEntries(url.searchParams), ...jsonMembers(body) },
    authorization: incoming.headers.authorization ?? null,
    idempotencyKey: typeof key === 'string' && key !== '' ? key : null,
    body,
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw new Error(`request body: got more than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A body that is no JSON object has no members: the endpoint then misses its field and says so. */
function jsonMembers(body: string): { [name: string]: Json } {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as { [name: string]: Json })
      : {};
  } catch {
    return {};
  }
}
