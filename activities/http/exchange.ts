// One request and one answer on the wire, without redirects, decoding or repetition: what left, what came, and where it stopped.
import type { Dispatcher } from 'undici';
import { DRAIN_MS } from '../../contracts/limits';
import type { HeaderLine, TransportCode } from './verdict';
import type { Exchanged, ExchangeEnvironment, WireAnswer, WireRequest } from './wire';

/** Settles exactly once, at most a tick after `stop`, and leaves no listener, no timer and no open stream behind. Never rejects. */
export function exchange(request: WireRequest, environment: ExchangeEnvironment): Promise<Exchanged> {
  return new Promise((resolve) => {
    const wire = new Wire(request, environment, resolve);
    if (environment.stop.aborted) return wire.onStop();
    const { origin, path, headers, body } = request;
    const method = request.method as Dispatcher.HttpMethod;
    try {
      environment.agent.dispatch({ origin, path, method, headers, body }, wire);
    } catch (error) {
      wire.onResponseError(null, error as Error);
    }
  });
}

class Wire implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private sent = false;
  private settled = false;
  private status = 0;
  private rawHeaders: HeaderLine[] = [];
  private observedAtMs = 0;
  private observedAtMonotonicMs = 0;
  private limit = { bytes: 0, required: false };
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private drain: NodeJS.Timeout | undefined;

  constructor(
    private readonly request: WireRequest,
    private readonly environment: ExchangeEnvironment,
    private readonly resolve: (exchanged: Exchanged) => void,
  ) {
    environment.stop.addEventListener('abort', this.onStop, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // Stopped while it waited for a connection: nothing has been written, and nothing will be.
    if (this.settled) this.cancel();
    // The pool is about to write the same request again on another connection: one call is one request.
    else if (this.sent) this.fail('RESET', 'second start');
    else {
      this.sent = true;
      this.environment.onSent();
    }
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200 || this.settled) return;
    this.status = status;
    this.observedAtMs = this.environment.nowMs();
    this.observedAtMonotonicMs = this.environment.monotonicMs();
    this.rawHeaders = headerLinesOf(controller.rawHeaders);
    this.limit = this.request.bodyLimit(status);
    if (!this.limit.required) this.drain = setTimeout(() => this.endBody(false), DRAIN_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return;
    const room = this.limit.bytes - this.bytes;
    this.chunks.push(chunk.subarray(0, room));
    this.bytes += chunk.length;
    if (chunk.length <= room) return;
    if (this.limit.required) this.fail('TOO_LARGE');
    else this.endBody(false);
  }

  onResponseEnd(): void {
    if (!this.settled) this.endBody(true);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.settled) return;
    const cause = (error as NodeJS.ErrnoException).code ?? error.name;
    if (this.status !== 0 && !this.limit.required) this.endBody(false);
    else this.fail(this.codeOf(cause), cause);
  }

  readonly onStop = (): void => {
    const code = this.environment.stop.reason as TransportCode;
    // Of a refusal the status and the headers say enough.
    if (code === 'TIMED_OUT' && this.status !== 0 && !this.limit.required) this.endBody(false);
    else this.fail(code);
  };

  private endBody(bodyComplete: boolean): void {
    this.settle({ failed: null, sent: true, answer: this.answer(bodyComplete) });
    if (!bodyComplete) this.cancel();
  }

  private fail(failed: TransportCode, cause?: string): void {
    const answer = this.status === 0 ? null : this.answer(false);
    this.settle({ failed, sent: this.sent, answer, ...(cause !== undefined && { cause }) });
    this.cancel();
  }

  private settle(exchanged: Exchanged): void {
    this.settled = true;
    clearTimeout(this.drain);
    this.environment.stop.removeEventListener('abort', this.onStop);
    this.resolve(exchanged);
  }

  /** Closes the stream and with it the socket, which cannot be used again before its body is read. */
  private cancel(): void {
    this.controller?.abort(new Error('the rest of the answer is not wanted'));
  }

  private codeOf(cause: string): TransportCode {
    if (cause === 'UND_ERR_INVALID_ARG') return 'REQUEST_INVALID';
    if (!this.sent) return 'CONNECT_FAILED';
    if (this.status !== 0) return 'BODY_CUT';
    return isUnreadable(cause) ? 'ANSWER_INVALID' : 'RESET';
  }

  private answer(bodyComplete: boolean): WireAnswer {
    const { status, rawHeaders, observedAtMs, observedAtMonotonicMs } = this;
    return { status, rawHeaders, body: Buffer.concat(this.chunks), bodyComplete, observedAtMs, observedAtMonotonicMs };
  }
}

/** Name and value follow each other; a byte is a character (RFC 9110 5.5). */
function headerLinesOf(raw: Dispatcher.DispatchController['rawHeaders']): HeaderLine[] {
  const parts = Array.isArray(raw)
    ? raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')))
    : [];
  const lines: HeaderLine[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) lines.push([parts[index] ?? '', parts[index + 1] ?? '']);
  return lines;
}

/** The peer spoke, but not HTTP; a connection that merely broke is something else. The parser's errors have a code only sometimes. */
const isUnreadable = (cause: string): boolean =>
  cause.startsWith('HPE_') || cause === 'HTTPParserError' || cause === 'UND_ERR_HEADERS_OVERFLOW';
