// A real HTTP server on 127.0.0.1 for one test: it counts what arrives and is closed with everything that hangs on it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Agent } from 'undici';
import { createHttpAgent } from '../../../activities/http/http-agent';
import type { RawAnswer, SendRequest } from '../../../activities/http/raw-answer';
import { sendOnce } from '../../../activities/http/send';

export interface LocalServer {
  url: string;
  /** Requests whose headers arrived, in order. */
  requests: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  /** Connections that were accepted since the start. */
  connections: Socket[];
}

const servers: Server[] = [];
const agents: Agent[] = [];

/** `answer` gets the number of the request, from 1. */
export async function startServer(
  answer: (response: ServerResponse, number: number, request: IncomingMessage) => void,
): Promise<LocalServer> {
  const local: LocalServer = { url: '', requests: [], connections: [] };
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    local.requests.push({ method, path: url, headers });
    answer(response, local.requests.length, request);
  });
  server.on('connection', (socket: Socket) => local.connections.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  local.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return local;
}

export function startAgent(options?: { connectionsPerOrigin?: number }): Agent {
  const agent = createHttpAgent(options);
  agents.push(agent);
  return agent;
}

/** Resolves when the server sees its first connection closed. */
export async function firstConnectionClosed({ connections: [socket] }: LocalServer): Promise<void> {
  if (socket && !socket.closed) await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}

/** Closes all servers and agents of the test; for `afterEach`. */
export async function stopAll(): Promise<void> {
  await Promise.all(agents.splice(0).map((agent) => agent.destroy()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Sends a GET that has ten seconds, unless the parts say otherwise. */
export function send(url: string, parts: Partial<SendRequest> = {}, agent: Agent = startAgent()): Promise<RawAnswer> {
  const request = { method: 'GET', url, headers: {}, secretHeaders: [], timeoutMs: 10_000, ...parts };
  return sendOnce(request, { agent, nowMs: () => Date.now(), monotonicMs: () => performance.now() });
}

/** Everything of a failure but its time; throws when there was an answer. */
export function failureOf(raw: RawAnswer) {
  if (raw.kind === 'answer') throw new Error(`answered with ${raw.status}, expected a failure`);
  const { observedAtMs, ...rest } = raw;
  return rest;
}

/** The answer with its body as text; throws when there is none. */
export function answerOf(raw: RawAnswer) {
  if (raw.kind === 'failed') throw new Error(raw.message);
  return { ...raw, text: raw.body.toString() };
}
