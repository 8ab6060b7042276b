// Whether a redirect is followed. Pure: the same rule for every provider.
import { viewAnswer } from './answer-view';
import { firstHeader, indexHeaders } from './headers';
import { statedWait } from './hints';
import { profileOf } from './profiles/registry';
import type { WireAnswer } from './wire';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * The URL to ask next, null when the answer stands as it is. Followed are only GET and HEAD without a body, never from https to http,
 * never to another origin when the request carries a secret, and never when the answer asks to wait first (the reader makes a hold of that).
 */
export function nextHop(
  answer: WireAnswer,
  request: { method: string; url: URL; hasBody: boolean; hasSecret: boolean },
): URL | null {
  if (!REDIRECTS.has(answer.status) || request.hasBody || !['GET', 'HEAD'].includes(request.method)) return null;
  const location = firstHeader(indexHeaders(answer.rawHeaders), 'location');
  const next = location === undefined ? null : parse(location, request.url);
  if (next === null || asksToWait(answer)) return null;
  if (next.protocol !== 'https:' && (next.protocol !== 'http:' || request.url.protocol === 'https:')) return null;
  if (next.origin !== request.url.origin && request.hasSecret) return null;
  next.username = '';
  next.password = '';
  next.hash = '';
  return next;
}

function asksToWait({ status, rawHeaders, observedAtMs }: WireAnswer): boolean {
  const answer = { status, rawHeaders, bodyPrefix: '', bodyComplete: false, observedAtMs };
  return statedWait(viewAnswer(answer, { profile: profileOf('generic') })) !== null;
}

function parse(location: string, base: URL): URL | null {
  return URL.canParse(location, base.href) ? new URL(location, base.href) : null;
}
