// Asserts about waiting: when the next request leaves, on a clock that is turned by hand, and what an abort or a late answer changes.
import { getEventListeners } from 'node:events';
import { toAnswer } from '../../activities/http/raw-answer';
import { readAnswer } from '../../activities/http/read-answer';
import { FIRST_CURSOR } from '../../contracts/outcomes';
import { ProviderGate } from '../../worker/gates/gate';
import { LeaseKeeper } from '../../worker/gates/lease-keeper';
import { type AnswerCase, contextOf } from '../activities/http/case-table';
import { eventually } from '../helpers/eventually';
import { ManualClock, settle } from '../worker/gates/manual-clock';
import { MemoryGate } from '../worker/gates/memory-gate';
import { type Answering, answerOfCase, CallLab, ok } from './call-lab';
import { type Checks, withLab } from './checks';

const never = new AbortController().signal;

/** Refused as the case says, then let in, and so on. */
const everySecondIsRefused = (one: AnswerCase): Answering => {
  const refused = answerOfCase(one);
  return (response, number, request) => (number % 2 === 1 ? refused : ok)(response, number, request);
};

/** The first request is refused; later ones are answered only from `answerAll` on, so that those who left at once can be counted. */
function afterRefusal(refused: Answering): { answer: Answering; answerAll(): void } {
  const held: (() => void)[] = [];
  let isHolding = true;
  return {
    answer: (response, number, request) => {
      if (number === 1) refused(response, number, request);
      else if (isHolding) held.push(() => ok(response, number, request));
      else ok(response, number, request);
    },
    answerAll: () => {
      isHolding = false;
      for (const answer of held) answer();
    },
  };
}

/** Turns the clock until the call has its permit, `stepMs` at a time; returns the monotonic instant at which it had it. Throws when it gets none. */
async function permitAtMs(lab: CallLab, stepMs: number, signal: AbortSignal = never): Promise<number> {
  let atMs: number | null = null;
  let isOver = false;
  const noteTime = () => {
    atMs = lab.clock.monotonicMs();
  };
  const sending = lab.send(FIRST_CURSOR, signal, noteTime).finally(() => {
    isOver = true;
  });
  for (await settle(); atMs === null && !isOver; ) await lab.hand.advance(stepMs);
  await sending;
  if (atMs === null) throw new Error('the gate gave no permit');
  return atMs;
}

export const HOLDS: Checks = {
  /** Told to nobody as a shorter wait: the instant stays with the row and with the account. */
  A22: (one) =>
    withLab(CallLab.open(one), async (lab) => {
      const untilMs = lab.clock.wallMs() + 9_999_999_999_000;
      const end = await lab.dispatch();
      const next = await lab.dispatch();
      const isKept = [end, next].every((outcome) => outcome.kind === 'rejected' && (outcome.retryAtMs ?? 0) >= untilMs);
      return { resumeNotBefore: isKept && lab.requests.length === 1 ? 'kept' : JSON.stringify([end, next]) };
    }),

  B07: (one) =>
    withLab(CallLab.open(one, { answer: everySecondIsRefused(one) }), async (lab) => {
      await lab.send();
      const refusedMs = lab.clock.monotonicMs();
      await lab.hand.advance(10_000);
      lab.hand.stepWall(-3_600_000);
      return { dispatchAfterMonotonicMs: (await permitAtMs(lab, 100)) - refusedMs };
    }),

  /** The monotonic clock stands still while a machine sleeps, its wall clock goes on. */
  B08: (one) =>
    withLab(CallLab.open(one, { answer: everySecondIsRefused(one), random: () => 0.999 }), async (lab) => {
      await lab.send();
      await lab.hand.advance(10_000);
      lab.hand.stepWall(7_200_000);
      const wokeMs = lab.clock.monotonicMs();
      return { dispatchWithinMsOfWake: (await permitAtMs(lab, 100)) - wokeMs };
    }),

  /** Every second timer fires 1 ms early, as those of Node may. */
  B09: (one) => {
    let timers = 0;
    const clock = new ManualClock(() => -(++timers % 2));
    return withLab(CallLab.open(one, { answer: everySecondIsRefused(one), clock }), async (lab) => {
      let early = 0;
      for (let round = 0; round < one.context!.repeat!; round++) {
        await lab.send();
        const openAtMs = lab.clock.monotonicMs() + 50;
        if ((await permitAtMs(lab, 49)) < openAtMs) early += 1;
      }
      return { earlyDispatches: early };
    });
  },

  /** A call that was sent before the refusal is answered after it. */
  G02: (one) => {
    let answerSlowly = () => {};
    const { retryAt } = one.context!.existingHold!;
    const answer: Answering = (response, number, request) => {
      if (number === 1) answerSlowly = () => answerOfCase(one)(response, number, request);
      else response.writeHead(429, { 'retry-after': '59' }).end();
    };
    return withLab(CallLab.open(one, { answer }), async (lab) => {
      lab.hand.stepWall(Date.parse(retryAt) - 59_000 - lab.clock.wallMs());
      const slow = lab.send();
      await eventually(
        async () => lab.requests.length,
        (count) => count === 1,
      );
      await lab.send();
      answerSlowly();
      const end = await slow;
      if (end?.kind !== 'end' || end.outcome.kind !== 'completed') throw new Error('the slow call did not succeed');
      return { holdStaysUntil: new Date(lab.gate().closedUntilMs() ?? 0).toISOString() };
    });
  },

  G04: (one) => {
    const { answer, answerAll } = afterRefusal(answerOfCase(one));
    return withLab(CallLab.open(one, { answer }), async (lab) => {
      await lab.send();
      const waiting = Array.from({ length: one.context!.waitingRows! }, () => lab.send());
      await lab.hand.advance(9_999);
      const before = lab.gate().snapshot().inFlight + lab.requests.length - 1;
      await lab.hand.advance(2);
      await eventually(
        async () => lab.requests.length,
        (count) => count > 1,
      );
      const first = lab.gate().snapshot().inFlight;
      answerAll();
      await Promise.all(waiting);
      return { dispatchedBeforeRetryAt: before, dispatchedInFirstMsMax: first };
    });
  },

  G05: async (one) => {
    const delays: number[] = [];
    const draws = one.context!.samples!;
    for (let draw = 0; draw < draws; draw++) {
      await withLab(CallLab.open(one, { random: () => draw / draws }), async (lab) => {
        const sentMs = lab.clock.wallMs();
        await lab.send();
        delays.push((lab.gate().closedUntilMs() ?? 0) - sentMs);
      });
    }
    return { minOverSamples: Math.min(...delays), distinctDelays: new Set(delays).size, samples: delays.length };
  },

  /** A worker meets the refusal and ends; another one starts when the closing is long over and 50 rows wait. */
  G07: (one) => {
    const refused: Answering = (response) => response.writeHead(429, { 'retry-after': '60' }).end();
    const { answer, answerAll } = afterRefusal(refused);
    return withLab(CallLab.open(one, { answer }), async (lab) => {
      const shared = new MemoryGate(lab.hand);
      const keeperOf = (worker: string, gate: ProviderGate) =>
        new LeaseKeeper(gate, shared, { worker, ttlMs: 30_000, warn: () => undefined }, lab.clock);
      const earlier = keeperOf('earlier', lab.gate());
      const refused = lab.send();
      await lab.hand.advance(100);
      await refused;
      await lab.hand.advance(100);
      const ending = earlier.stop();
      await lab.hand.advance(1_800_000);
      await ending;
      const restarted = new ProviderGate(lab.gate().settings, lab.clock, () => 0);
      lab.restart(restarted);
      const later = keeperOf('later', restarted);
      const waiting = Array.from({ length: 50 }, () => lab.send());
      await lab.hand.advance(100);
      await eventually(
        async () => lab.requests.length,
        (count) => count > 1,
      );
      const { inFlight } = restarted.snapshot();
      answerAll();
      await Promise.all(waiting);
      await Promise.all([later.stop(), lab.hand.advance(1000)]);
      return { dispatchedInFirstMsMax: inFlight };
    });
  },

  /** The clock does not move: whoever waits for it waits for ever. */
  G14: (one) =>
    withLab(CallLab.open(one), async (lab) => {
      await lab.send();
      const row = new AbortController();
      const waiting = lab.send(FIRST_CURSOR, row.signal);
      await lab.hand.advance(1_000);
      const abortedMs = lab.clock.monotonicMs();
      row.abort();
      await waiting;
      const settledMs = lab.clock.monotonicMs();
      await lab.hand.advance(120_000);
      return { settlesWithinMs: settledMs - abortedMs, requestsAfterAbort: lab.requests.length - 1 };
    }),

  G15: (one) =>
    withLab(CallLab.open(one, { answer: everySecondIsRefused(one) }), async (lab) => {
      const { signal } = new AbortController();
      for (let hold = 0; hold < one.context!.repeat!; hold++) {
        await lab.send(FIRST_CURSOR, signal);
        await permitAtMs(lab, 10, signal);
      }
      if (lab.requests.length !== 2 * one.context!.repeat!) throw new Error('not every hold ended in a request');
      return { abortListenersAfter: getEventListeners(signal, 'abort').length };
    }),

  /** What the reader makes of the answer as it came over the wire: the row ends before anybody waits. */
  G16: (one) =>
    withLab(CallLab.open(one), async (lab) => {
      const sentMs = lab.clock.monotonicMs();
      await lab.send();
      const verdict = readAnswer(
        toAnswer(lab.raws[0]!),
        contextOf(one, () => 0),
      );
      const ends = verdict.kind === 'terminal' && verdict.code === 'DEADLINE_BEFORE_RETRY';
      return { settlesWithinMs: ends ? lab.clock.monotonicMs() - sentMs : Number.POSITIVE_INFINITY };
    }),
};
