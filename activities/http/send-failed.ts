// Words a failed request for people: method, address and cause, never a header value, user info or a query string.
import type { SendFailed, SendRequest } from './raw-answer';
import type { TransportCode } from './verdict';
import type { WireFailure } from './wire';

const WHAT_HAPPENED: Record<TransportCode, string> = {
  CONNECT_FAILED: 'no connection',
  STREAM_REFUSED: 'the server refused the stream before it looked at it',
  RESET: 'the connection broke before an answer',
  TIMED_OUT: 'the time-out passed',
  ABORTED: 'the caller gave up',
  BODY_CUT: 'the answer ended before its body did',
  BODY_UNREADABLE: 'the body is not what its Content-Encoding says',
  TOO_LARGE: 'the body is larger than allowed',
  ANSWER_INVALID: 'the answer is not HTTP/1.1',
  REQUEST_INVALID:
    'the request is not legal: expected an http(s) URL without user info, legal header names and values, a time-out of 1 to 2147483647 ms',
};

export function sendFailed(request: SendRequest, nowMs: number, failure: WireFailure): SendFailed {
  const { failed, cause, sent, answer } = failure;
  const status = answer === null ? '' : ` after status ${answer.status}`;
  const details = cause === undefined ? '' : ` (${cause})`;
  return {
    kind: 'failed',
    sent,
    code: failed,
    message: `${request.method} ${address(request.url)}: ${WHAT_HAPPENED[failed]}${status}${details}`,
    answerStarted: answer !== null,
    ...(answer !== null && { status: answer.status }),
    observedAtMs: nowMs,
  };
}

function address(url: string): string {
  if (!URL.canParse(url)) return '(no URL)';
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
