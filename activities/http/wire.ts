// The words of one exchange on the wire: what is to be sent, what it needs, and what came of it.
import type { Dispatcher } from 'undici';
import type { HeaderLine, TransportCode } from './verdict';

export interface WireRequest {
  origin: string;
  /** Path with query. */
  path: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | null;
  /** Bytes of a body with this status that are read; `required`: without the whole body the answer is worth nothing. */
  bodyLimit: (status: number) => { bytes: number; required: boolean };
}

export interface ExchangeEnvironment {
  agent: Dispatcher;
  /** Wall clock and monotonic clock, in milliseconds. */
  nowMs: () => number;
  monotonicMs: () => number;
  /** Stops the exchange; its reason is the code to report. */
  stop: AbortSignal;
  /** Just before the first byte may leave. */
  onSent: () => void;
}

/** Headers that arrived, and the body as far as it was read, still encoded. */
export interface WireAnswer {
  status: number;
  rawHeaders: HeaderLine[];
  body: Buffer;
  bodyComplete: boolean;
  observedAtMs: number;
  observedAtMonotonicMs: number;
}

/** `cause`: a code of Node or undici for the message; never a text of theirs. */
export interface WireFailure {
  failed: TransportCode;
  cause?: string;
  sent: boolean;
  answer: WireAnswer | null;
}

export type Exchanged = { failed: null; sent: true; answer: WireAnswer } | WireFailure;
