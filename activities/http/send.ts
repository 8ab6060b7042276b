// Sends one request and brings back how it ended. It repeats nothing: one call is one request on the wire, plus the redirects that are safe to follow.
import type { Dispatcher } from 'undici';
import { ANSWER_BYTES, BODY_PREFIX_BYTES, REDIRECT_HOPS } from '../../contracts/limits';
import { decodeBody } from './decode-body';
import { exchange } from './exchange';
import { headerLines, indexHeaders } from './headers';
import type { RawAnswer, SendRequest } from './raw-answer';
import { nextHop } from './redirect';
import { sendFailed } from './send-failed';
import type { TransportCode } from './verdict';
import type { Exchanged, WireAnswer, WireRequest } from './wire';

/** A longer setTimeout fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** `agent`: from createHttpAgent. Both clocks in milliseconds; the wall clock stamps answers, the monotonic one measures. */
export interface SendEnvironment {
  agent: Dispatcher;
  nowMs: () => number;
  monotonicMs: () => number;
}

/**
 * Settles by the deadline, and at once on abort; never rejects. A 2xx is an `answer` only with its whole body: a body that is shorter than
 * announced is BODY_CUT, one over `maxBodyBytes`, as sent or decoded, TOO_LARGE. Anything else is an `answer` with as much of its body as came.
 */
export async function sendOnce(request: SendRequest, environment: SendEnvironment): Promise<RawAnswer> {
  const url = usableUrl(request);
  if (url === null) return notSent(request, environment, 'REQUEST_INVALID');
  const stopper = new AbortController();
  const abort = () => stopper.abort('ABORTED' satisfies TransportCode);
  const deadline = setTimeout(() => stopper.abort('TIMED_OUT' satisfies TransportCode), request.timeoutMs);
  if (request.signal?.aborted) abort();
  else request.signal?.addEventListener('abort', abort, { once: true });
  try {
    return await follow(request, url, environment, stopper.signal);
  } finally {
    clearTimeout(deadline);
    request.signal?.removeEventListener('abort', abort);
  }
}

async function follow(
  request: SendRequest,
  first: URL,
  environment: SendEnvironment,
  stop: AbortSignal,
): Promise<RawAnswer> {
  if (stop.aborted) return notSent(request, environment, stop.reason);
  let sent = false;
  const onSent = () => {
    if (!sent) request.onSent?.();
    sent = true;
  };
  let url = first;
  for (let hop = 0; ; hop++) {
    const exchanged = await exchange(wireRequest(request, url), { ...environment, stop, onSent });
    const next: URL | null =
      hop < REDIRECT_HOPS && exchanged.failed === null ? nextHop(exchanged.answer, facts(request, url)) : null;
    if (next === null)
      return finish(request, environment, exchanged.failed === null ? exchanged : { ...exchanged, sent });
    url = next;
  }
}

/** Null when the request cannot be sent as it is asked for; user info is refused since it would be a secret that nobody declared. */
function usableUrl({ url, timeoutMs }: SendRequest): URL | null {
  if (!URL.canParse(url) || !(timeoutMs >= 1 && timeoutMs <= LONGEST_TIMER_MS)) return null;
  const parsed = new URL(url);
  const usable = ['http:', 'https:'].includes(parsed.protocol) && parsed.username === '' && parsed.password === '';
  return usable ? parsed : null;
}

function wireRequest(request: SendRequest, url: URL): WireRequest {
  const maxBytes = request.maxBodyBytes ?? ANSWER_BYTES;
  const asksForEncoding = Object.keys(request.headers).some((name) => name.toLowerCase() === 'accept-encoding');
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method,
    headers: asksForEncoding ? request.headers : { ...request.headers, 'accept-encoding': 'gzip, deflate, br' },
    body: request.body ?? null,
    bodyLimit: (status) =>
      isSuccess(status) ? { bytes: maxBytes, required: true } : { bytes: BODY_PREFIX_BYTES, required: false },
  };
}

function facts(request: SendRequest, url: URL) {
  const secret = new Set(request.secretHeaders.map((name) => name.toLowerCase()));
  const hasSecret = Object.keys(request.headers).some((name) => secret.has(name.toLowerCase()));
  return { method: request.method, url, hasBody: request.body !== undefined, hasSecret };
}

async function finish(request: SendRequest, environment: SendEnvironment, exchanged: Exchanged): Promise<RawAnswer> {
  if (exchanged.failed !== null) return sendFailed(request, environment.nowMs(), exchanged);
  const { answer } = exchanged;
  const success = isSuccess(answer.status);
  const limit = success ? (request.maxBodyBytes ?? ANSWER_BYTES) : BODY_PREFIX_BYTES;
  const encodings = headerLines(indexHeaders(answer.rawHeaders), 'content-encoding');
  const end = (code: TransportCode) => sendFailed(request, environment.nowMs(), { failed: code, sent: true, answer });
  try {
    const decoded = await decodeBody(answer.body, encodings, limit);
    if (success && decoded.overflow) return end('TOO_LARGE');
    if (success && !decoded.complete) return end('BODY_CUT');
    return answered({ ...answer, body: decoded.body, bodyComplete: answer.bodyComplete && decoded.complete });
  } catch {
    // A refusal counts by its status and headers, readable or not.
    return success ? end('BODY_UNREADABLE') : answered({ ...answer, body: Buffer.alloc(0), bodyComplete: false });
  }
}

const notSent = (request: SendRequest, environment: SendEnvironment, code: TransportCode): RawAnswer =>
  sendFailed(request, environment.nowMs(), { failed: code, sent: false, answer: null });

const answered = (answer: WireAnswer): RawAnswer => ({ kind: 'answer', ...answer });

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;
