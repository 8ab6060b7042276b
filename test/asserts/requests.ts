// Asserts about requests on the wire: how many, under which key, how much of an answer is kept, and which sockets stay.
import { setImmediate as turn } from 'node:timers/promises';
import { attemptNumber } from '../../contracts/cursor';
import { FIRST_CURSOR } from '../../contracts/outcomes';
import type { AnswerCase } from '../activities/http/case-table';
import { type Answering, answerOfCase, CallLab, ON_SYSTEM_CLOCK, ok } from './call-lab';
import { type Checks, withLab } from './checks';

const silent: Answering = () => undefined;

/** One call to its end, tried again inside its activity as often as it may be. */
const requestsOf = (one: AnswerCase, settings: Parameters<typeof CallLab.open>[1] = {}): Promise<number> =>
  withLab(CallLab.open(one, { ...ON_SYSTEM_CLOCK, ...settings }), async (lab) => {
    await lab.dispatch();
    return lab.requests.length;
  });

const requestsSent: Checks[string] = async (one) => ({ requestsSent: await requestsOf(one) });
const maxExtraAttempts: Checks[string] = async (one) => ({ maxExtraAttempts: (await requestsOf(one)) - 1 });

/** The first request ends as the case says, the second is answered: both must carry one key. */
const sameIdempotencyKey =
  (first: (one: AnswerCase) => Answering): Checks[string] =>
  (one) => {
    const answer: Answering = (response, number, request) =>
      (number === 1 ? first(one) : ok)(response, number, request);
    return withLab(CallLab.open(one, { ...ON_SYSTEM_CLOCK, timeout: '1s', answer }), async (lab) => {
      await lab.dispatch();
      const keys = lab.requests.map(({ headers }) => headers['idempotency-key']);
      const isSame = keys.length > 1 && keys[0] !== undefined && new Set(keys).size === 1;
      return { sameIdempotencyKey: isSame };
    });
  };

export const REQUESTS: Checks = {
  D42: maxExtraAttempts,
  F10: maxExtraAttempts,
  F04: requestsSent,
  F06: requestsSent,
  F14: async (one) => ({ requestsSent: await requestsOf(one, { answer: silent, timeout: '200ms' }) }),

  /** The connection was used before, and breaks under the call. */
  F17: (one) => {
    const answer: Answering = (response, number, request) =>
      number === 1 ? ok(response, number, request) : request.socket.resetAndDestroy();
    return withLab(CallLab.open(one, { ...ON_SYSTEM_CLOCK, answer, connections: 1 }), async (lab) => {
      await lab.dispatch();
      await lab.dispatch({ rowIdentity: 'k:2' });
      if (lab.sockets.length !== 1)
        throw new Error(`${lab.sockets.length} connections, expected the first to be used again`);
      return { requestsSent: lab.requests.length - 1 };
    });
  },

  E37: sameIdempotencyKey(answerOfCase),
  F16: sameIdempotencyKey(() => silent),

  E41: (one) => {
    const { status, headers, bodyShape } = one.response;
    const answer: Answering = (response) => response.writeHead(status!, headers).end('x'.repeat(bodyShape!.bytes!));
    return withLab(CallLab.open(one, { answer }), async (lab) => {
      await lab.send();
      const [raw] = lab.raws;
      if (raw?.kind !== 'answer' || raw.body.length === 0) throw new Error('no answer, or nothing of its body');
      return { maxBytesBuffered: raw.body.length };
    });
  },

  /** The server never sends the rest: only the deadline of the request can end it. */
  E43: (one) => {
    const { status, headers, body } = one.response;
    const answer: Answering = (response) => void response.writeHead(status!, headers).write(body);
    return withLab(CallLab.open(one, { answer, timeout: '200ms' }), async (lab) => {
      await lab.send();
      const [raw] = lab.raws;
      const isDeadline = raw?.kind === 'failed' && raw.code === 'TIMED_OUT' && raw.answerStarted;
      return { settlesWithinMs: isDeadline ? 'request deadline' : JSON.stringify(raw) };
    });
  },

  /** A hundred permits are out when the first refusal arrives. */
  E45: (one) => {
    const { poolConnections, repeat } = one.context!;
    return withLab(CallLab.open(one, { connections: poolConnections!, concurrency: repeat! }), async (lab) => {
      const ends = await Promise.all(Array.from({ length: repeat! }, () => lab.send()));
      if (ends.some((end) => end?.kind !== 'wait') || lab.requests.length !== repeat!)
        throw new Error('not all were answered');
      await turn();
      return { openSocketsAfter: lab.sockets.filter(({ destroyed }) => !destroyed).length };
    });
  },

  G13: (one) =>
    withLab(CallLab.open(one), async (lab) => {
      await lab.send();
      return { httpRequestsPerAttempt: lab.requests.length };
    }),

  /** Six refusals in a row, then an answer: which attempt of the row was it? */
  G09: (one) => {
    const throttles = one.context!.consecutiveThrottles!;
    const refused = answerOfCase(one);
    const answer: Answering = (response, number, request) =>
      (number <= throttles ? refused : ok)(response, number, request);
    return withLab(CallLab.open(one, { answer }), async (lab) => {
      let cursor = FIRST_CURSOR;
      for (;;) {
        const sending = lab.send(cursor);
        await lab.hand.advance(60_000);
        const step = await sending;
        if (step?.kind !== 'wait')
          return {
            rowAttemptsUsed: step?.kind === 'end' && step.outcome.kind === 'completed' ? attemptNumber(cursor) : -1,
          };
        cursor = step.cursor;
      }
    });
  },
};
