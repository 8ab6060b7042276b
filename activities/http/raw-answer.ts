// What one request over the wire ended in, before anybody judged it, and how the reader takes it.
import type { Answer, HeaderLine, TransportCode } from './verdict';

/** Headers arrived, and of a 2xx the whole body did. `body` is decoded (gzip, br, deflate); of a refusal it may be a prefix. */
export interface Answered {
  kind: 'answer';
  status: number;
  rawHeaders: HeaderLine[];
  body: Buffer;
  bodyComplete: boolean;
  /** Local wall clock when the headers arrived. */
  observedAtMs: number;
  /** The same instant on the monotonic clock. */
  observedAtMonotonicMs: number;
}

/** No usable answer. `message` names no header value, no user info and no query string. */
export interface SendFailed {
  kind: 'failed';
  /** A byte of the request may have left this machine. */
  sent: boolean;
  code: TransportCode;
  message: string;
  /** The headers of an answer arrived: the provider has seen the request. */
  answerStarted: boolean;
  /** Known when `answerStarted`. */
  status?: number;
  observedAtMs: number;
}

export type RawAnswer = Answered | SendFailed;

/** One request. Its deadline covers connecting, headers, body, draining and all redirects. */
export interface SendRequest {
  method: string;
  /** http: or https:, without user info. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Names of headers that carry a secret, in any case; their presence forbids redirects to another origin. */
  secretHeaders: readonly string[];
  body?: string | Buffer;
  /** 1 to 2^31-1. */
  timeoutMs: number;
  /** Largest 2xx body, both as sent and decoded; ANSWER_BYTES of contracts/limits when left out. */
  maxBodyBytes?: number;
  signal?: AbortSignal;
  /** Called once, just before the first byte of the request may leave. */
  onSent?: () => void;
}

/** The same end as the reader takes it; the body is read as UTF-8. */
export function toAnswer(raw: RawAnswer): Answer {
  const { observedAtMs } = raw;
  if (raw.kind === 'failed') {
    const { code, sent, answerStarted } = raw;
    return { transportError: { code, sent, answerStarted }, observedAtMs };
  }
  const { status, rawHeaders, body, bodyComplete } = raw;
  return { status, rawHeaders, bodyPrefix: body.toString('utf8'), bodyComplete, observedAtMs };
}
