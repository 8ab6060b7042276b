// What a request is: which endpoint it asks, whether it equals another one, and what may be charged once.
import { canonicalJson } from '../../contracts/keys';
import { ENDPOINTS, type Endpoint } from './answers';
import type { SimRequest } from './read-request';
import { errorReply, type Reply } from './reply';

export function findEndpoint({ method, path, provider }: SimRequest): Endpoint | undefined {
  const names = Object.keys(ENDPOINTS) as Endpoint[];
  return names.find((name) => path === `/${provider}/v1/${name}` && method === ENDPOINTS[name].method);
}

/** A request that starts a job. */
export const startsJob = ({ method, path, provider }: SimRequest): boolean =>
  method === 'POST' && path === `/${provider}/v1/jobs`;

/** The answer to a path, or a method on it, that no provider has. */
export function unknownPath({ method, path }: SimRequest): Reply {
  const offered = [
    ...Object.entries(ENDPOINTS).map(([name, endpoint]) => `${endpoint.method} /<provider>/v1/${name}`),
    'POST /<provider>/v1/jobs',
    'GET or DELETE /<provider>/v1/jobs/<id>',
    'GET /<provider>/v1/jobs/<id>/result',
  ];
  return errorReply(404, 'unknown_path', `got ${method} ${path}, expected one of ${offered.join(', ')}`);
}

/** Equal for requests that ask the same, whatever their idempotency keys. */
export const inputKey = ({ method, path, input }: SimRequest): string => canonicalJson([method, path, input]);

/** What may be charged once: the idempotency key, or without one the question itself. */
export function billingKey(request: SimRequest): string {
  const { provider, idempotencyKey } = request;
  return idempotencyKey === null ? `input:${inputKey(request)}` : `key:${provider}:${idempotencyKey}`;
}
