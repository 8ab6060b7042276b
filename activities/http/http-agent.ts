// The connection pool of a worker: keep-alive, one request at a time on a connection, and nothing that repeats or follows by itself.
import { Agent } from 'undici';
import { KEEP_ALIVE_MS, PROVIDER_CONNECT_TIMEOUT_MS } from '../../contracts/limits';

/**
 * `connectionsPerOrigin`: most sockets to one origin, unlimited when left out. Close it (`await agent.close()`) when the worker ends.
 * Time-outs of headers and bodies are off: the deadline of each request covers them.
 */
export function createHttpAgent(options: { connectionsPerOrigin?: number } = {}): Agent {
  return new Agent({
    pipelining: 1,
    allowH2: false,
    connections: options.connectionsPerOrigin ?? null,
    connect: { timeout: PROVIDER_CONNECT_TIMEOUT_MS },
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
