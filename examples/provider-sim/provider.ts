// One simulated provider: decides on arrival what a request gets and what it costs.
import { type Answer, answer, tokensOf } from './answers';
import { Closings } from './closings';
import { pickFault, strike } from './faults';
import { IdempotencyKeys, type KeyState } from './idempotency';
import { type JobRequest, Jobs, jobRequest } from './jobs';
import { latencyMs } from './latency';
import type { LedgerEntry, Verdict } from './ledger';
import type { FaultRule, ProviderOptions, Window } from './options';
import type { SimRequest } from './read-request';
import { errorReply, type Reply } from './reply';
import { refusal } from './retry-after';
import { billingKey, findEndpoint, inputKey, startsJob, unknownPath } from './routes';
import { type Admitted, windowWaitMs } from './windows';

export interface Instant {
  /** From the start of the simulator. */
  monotonicMs: number;
  wallMs: number;
}

/** What happens to one request. `settle` is called when its work is over, before the answer leaves. */
export interface Decision {
  facts: Pick<
    LedgerEntry,
    'inFlight' | 'admitted' | 'verdict' | 'fault' | 'closing' | 'charged' | 'price' | 'billingKey' | 'tokens'
  >;
  reply: Reply;
  latencyMs: number;
  settle: () => void;
}

/** Said to a client that has too many requests under way: nobody knows when one of them ends. */
const CONCURRENCY_HINT_MS = 1000;

export class SimProvider {
  readonly closings: Closings;
  readonly jobs: Jobs;
  windows: readonly Window[];
  concurrency: number | undefined;
  faults: readonly FaultRule[];
  private readonly keys = new IdempotencyKeys();
  private readonly admitted: Admitted[] = [];
  private readonly triesByInput = new Map<string, number>();
  private firstArrivalMs: number | undefined;
  private arrivals = 0;
  private inFlight = 0;

  constructor(
    private readonly options: ProviderOptions,
    /** Decides its random draws: the simulator's seed and the provider's name. */
    private readonly seed: string,
    name: string,
  ) {
    this.closings = new Closings(options.closings);
    this.jobs = new Jobs(options.jobs, name);
    this.windows = options.windows;
    this.concurrency = options.concurrency;
    this.faults = options.faults;
  }

  judge(request: SimRequest, now: Instant): Decision {
    const about = jobRequest(request);
    const good = about ? undefined : this.goodAnswer(request);
    if (!about && !good) return this.refuse(request, 'unknown_path', unknownPath(request));
    if (!this.isAuthorized(request)) {
      return this.refuse(request, 'unauthorized', errorReply(401, 'unauthorized', 'expected a valid bearer token'));
    }
    const refused = this.refuseByLimit(request, now) ?? this.refuseByKey(request);
    return refused ?? (about ? this.admitAboutJob(request, about, now) : this.admit(request, good!, now));
  }

  /** What the request gets when nothing goes wrong, with the id of the job that it then starts; undefined for an unknown path. */
  private goodAnswer(request: SimRequest): (Answer & { id?: string }) | undefined {
    if (startsJob(request)) return this.jobs.offer(request.input);
    const endpoint = findEndpoint(request);
    return endpoint && answer(endpoint, request.input, this.options);
  }

  /** A poll, the fetch of a result or a cancel: counted and struck by faults like any request, and free. */
  private admitAboutJob(request: SimRequest, about: JobRequest, now: Instant): Decision {
    const { inFlight, ms, leave } = this.enter(request, now);
    const fault = this.fault(request);
    const good = fault && strike(fault, errorReply(500, 'internal', 'something went wrong on our side')).reply;
    const reply = good ?? this.jobs.ask(about, now.monotonicMs);
    const verdict = fault ? ({ verdict: 'fault', fault } as const) : ({ verdict: 'job' } as const);
    const facts = { inFlight, admitted: true, ...verdict, charged: false, price: 0, billingKey: billingKey(request) };
    return { facts, reply, latencyMs: ms, settle: leave };
  }

  private enter(
    request: SimRequest,
    now: Instant,
  ): { inFlight: number; ms: number; tokens: number; leave: () => void } {
    const inFlight = this.inFlight;
    this.inFlight += 1;
    const tokens = tokensOf(findEndpoint(request), request.input);
    this.admitted.push({ atMs: now.monotonicMs, tokens });
    const leave = () => {
      this.inFlight -= 1;
    };
    return { inFlight, tokens, ms: latencyMs(this.options.latencyMs, this.seed, this.admitted.length), leave };
  }

  private isAuthorized(request: SimRequest): boolean {
    return this.options.secret === undefined || request.authorization === `Bearer ${this.options.secret}`;
  }

  private refuseByLimit(request: SimRequest, now: Instant): Decision | undefined {
    this.arrivals += 1;
    this.firstArrivalMs ??= now.monotonicMs;
    const style = this.options.retryStyle;
    const closed = this.closings.meet(this.arrivals, this.firstArrivalMs, now.monotonicMs);
    if (closed) {
      const waitMs = closed.options.hintMs ?? closed.remainingMs;
      const reply = refusal(closed.options.status, closed.options.style ?? style, waitMs, now.wallMs);
      return this.refuse(request, 'closed', reply, closed.closing);
    }
    const tokens = tokensOf(findEndpoint(request), request.input);
    const waitMs = windowWaitMs(this.windows, this.admitted, { atMs: now.monotonicMs, tokens });
    if (waitMs === Number.POSITIVE_INFINITY) {
      const reply = errorReply(400, 'request_too_large', 'the request needs more tokens than a whole window has');
      return this.refuse(request, 'over_window', reply);
    }
    if (waitMs > 0) return this.refuse(request, 'over_window', refusal(429, style, waitMs, now.wallMs));
    if (this.inFlight < (this.concurrency ?? Number.POSITIVE_INFINITY)) return undefined;
    return this.refuse(request, 'over_concurrency', refusal(429, style, CONCURRENCY_HINT_MS, now.wallMs));
  }

  private refuseByKey(request: SimRequest): Decision | undefined {
    const state = this.keyState(request);
    if (state.kind === 'in_progress') {
      const reply = errorReply(409, 'idempotency_key_in_progress', 'the first request with this key is under way');
      return this.refuse(request, 'key_in_progress', reply);
    }
    if (state.kind !== 'mismatch') return undefined;
    const reply = errorReply(422, 'idempotency_key_reused', 'this key was used for another request');
    return this.refuse(request, 'key_mismatch', reply);
  }

  private key(request: SimRequest): string | null {
    return this.options.idempotency ? request.idempotencyKey : null;
  }

  private keyState(request: SimRequest): KeyState {
    const key = this.key(request);
    return key === null ? { kind: 'new' } : this.keys.look(key, inputKey(request));
  }

  private admit(request: SimRequest, good: Answer & { id?: string }, now: Instant): Decision {
    const state = this.keyState(request);
    const { inFlight, tokens, ms, leave } = this.enter(request, now);
    const weight = tokens > 0 ? { tokens } : {};
    const base = { inFlight, admitted: true, billingKey: billingKey(request), ...weight };
    if (state.kind === 'answered') {
      const facts = { ...base, verdict: 'replayed' as const, charged: false, price: 0 };
      return { facts, reply: state.answer, latencyMs: ms, settle: leave };
    }
    const { reply, done, ...outcome } = this.outcome(request, good);
    if (done && good.id !== undefined) this.jobs.begin(good.id, request.input, now.monotonicMs);
    const key = this.key(request);
    if (key !== null) this.keys.begin(key, inputKey(request));
    const settle = () => {
      if (key !== null) this.keys.end(key, done ? good.reply : undefined);
      leave();
    };
    return { facts: { ...base, ...outcome }, reply, latencyMs: ms, settle };
  }

  /** `done`: the work was done, so its answer belongs to the key. */
  private outcome(request: SimRequest, good: Answer) {
    const { kind, reply } = good;
    if (kind === 'invalid') return { verdict: 'invalid' as const, charged: false, price: 0, reply, done: false };
    const chargeable = kind === 'found' || this.options.chargeMisses;
    const fault = this.fault(request);
    if (!fault) {
      const verdict: Verdict = kind === 'found' ? 'answered' : 'missed';
      return { verdict, charged: chargeable, price: chargeable ? this.options.price : 0, reply, done: true };
    }
    const struck = strike(fault, reply);
    const charged = chargeable && struck.charged;
    const price = charged ? this.options.price : 0;
    return { verdict: 'fault' as const, fault, charged, price, reply: struck.reply, done: struck.charged };
  }

  private fault(request: SimRequest) {
    const key = inputKey(request);
    const tryNumber = (this.triesByInput.get(key) ?? 0) + 1;
    this.triesByInput.set(key, tryNumber);
    const requestNumber = this.admitted.length;
    return pickFault(this.faults, { seed: this.seed, input: request.input, inputKey: key, tryNumber, requestNumber });
  }

  private refuse(request: SimRequest, verdict: Verdict, reply: Reply, closing?: number): Decision {
    const facts = {
      ...{ inFlight: this.inFlight, admitted: false, verdict, charged: false, price: 0 },
      ...(closing === undefined ? {} : { closing }),
      billingKey: billingKey(request),
    };
    return { facts, reply, latencyMs: 0, settle: () => undefined };
  }
}
