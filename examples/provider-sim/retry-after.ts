// Says when to come back, in one of the styles that real providers use.
import type { Json } from '../../contracts/outcomes';
import type { RetryStyle } from './options';
import { errorReply, type Reply } from './reply';

export interface Hint {
  headers: [name: string, value: string][];
  /** Members of the error body. */
  fields: { [name: string]: Json };
}

/** Wait as headers or body members. Never early: whole seconds are rounded up. `nowMs` is the wall clock. */
export function retryHint(style: RetryStyle, waitMs: number, nowMs: number): Hint {
  const seconds = String(Math.ceil(waitMs / 1000));
  const epochSeconds = Math.ceil((nowMs + waitMs) / 1000);
  const header = (...headers: Hint['headers']): Hint => ({ headers, fields: {} });
  switch (style) {
    case 'seconds':
      return header(['retry-after', seconds]);
    case 'http-date':
      return header(['retry-after', new Date(epochSeconds * 1000).toUTCString()]);
    case 'ms-header':
      return header(['retry-after-ms', String(Math.ceil(waitMs))]);
    case 'reset-epoch':
      return header(['x-ratelimit-remaining', '0'], ['x-ratelimit-reset', String(epochSeconds)]);
    case 'body':
      return { headers: [], fields: { retry_after: Math.ceil(waitMs) / 1000 } };
    case 'none':
      return header();
    case 'zero':
      return header(['retry-after', '0']);
    case 'several-lines':
      return header(['retry-after', '1'], ['retry-after', seconds]);
  }
}

/** A 429 or 503 that asks to wait. */
export function refusal(status: 429 | 503, style: RetryStyle, waitMs: number, nowMs: number): Reply {
  const [code, message] =
    status === 429 ? ['rate_limited', 'too many requests'] : ['unavailable', 'temporarily out of service'];
  return errorReply(status, code, message, retryHint(style, waitMs, nowMs));
}
