// What an account turns out to admit where its limits are not declared, or declared wrongly: rate and calls in flight are raised in steps while
// they are used, and cut at a refusal (AIMD). Pure, instants on the gate's clock.
import type { GateLimits, GateLoad, GatePace, GateStatus } from '../contracts/gate';
import {
  LEARN_AFTER_REFUSALS,
  LEARN_CONCURRENCY_ROOM,
  LEARN_CUT,
  LEARN_EVERY_MS,
  LEARN_FORGET_MS,
  LEARN_LEAST_PER_SECOND,
  LEARN_RAISED_FROM,
  LEARN_USED,
  LEARN_WINDOW_MS,
} from '../contracts/limits';
import { afterCut, type Estimate, firstEstimate, raised } from './gate-estimate';

export interface Learning {
  perSecond: Estimate | null;
  concurrency: Estimate | null;
  /** Refusals that limits in force did not explain, since which nothing else was learned; and the instant of the last. */
  strikes: number;
  strikeMs: number;
  /** Since when something is learned, and from how many answers. */
  sinceMs: number;
  answers: number;
  /** The last look at what is used. */
  lookedMs: number;
  sentThen: number;
  answeredThen: number;
  /** No refusal since that look. */
  isClean: boolean;
  /** Refusals without any time between them in which nothing was refused. */
  quick: number;
}

const NOTHING_LEARNED: Learning = {
  perSecond: null,
  concurrency: null,
  strikes: 0,
  strikeMs: 0,
  sinceMs: 0,
  answers: 0,
  lookedMs: 0,
  sentThen: 0,
  answeredThen: 0,
  isClean: true,
  quick: 0,
};

/** What all workers do together, as far as the gate knows. */
export interface GateUse {
  nowMs: number;
  declared: GateLimits;
  /** Workers that divide the account. */
  workers: number;
  inFlight: number;
  sent: number;
  answered: number;
}

/** Strictest declared rate in calls a second; Infinity = none. */
const perSecondOf = ({ rate }: GateLimits): number =>
  Math.min(Number.POSITIVE_INFINITY, ...rate.map(({ limit, perMs }) => (limit * 1000) / perMs));

/** `load`: of the worker that was refused, when the refused call was sent. Others are taken to do the same. */
export function afterRefusal(known: Learning | undefined, load: GateLoad, use: GateUse): Learning {
  const learning = known ?? NOTHING_LEARNED;
  const { nowMs, declared, workers } = use;
  const seen = { perSecond: Math.max(1, load.perSecond) * workers, concurrency: Math.max(1, load.inFlight) * workers };
  const { perSecond, concurrency } = learning;
  const quick = learning.quick + 1;
  // Refused again and again, it is not known by which of the two: both give way.
  const isFull = {
    perSecond: quick > 1 || (perSecond !== null && seen.perSecond >= LEARN_USED * perSecond.value),
    concurrency: quick > 1 || (concurrency !== null && seen.concurrency + workers >= Math.floor(concurrency.value)),
  };
  if ((perSecond && isFull.perSecond) || (concurrency && isFull.concurrency)) {
    return {
      ...learning,
      perSecond: perSecond && isFull.perSecond ? afterCut(perSecond, seen.perSecond) : perSecond,
      concurrency: concurrency && isFull.concurrency ? afterCut(concurrency, seen.concurrency) : concurrency,
      strikes: 0,
      isClean: false,
      quick,
    };
  }
  const strikes = nowMs - learning.strikeMs > LEARN_FORGET_MS ? 1 : learning.strikes + 1;
  const counted = { ...learning, strikes, strikeMs: nowMs, isClean: false, quick };
  if (strikes < LEARN_AFTER_REFUSALS) return counted;
  const least = {
    perSecond: Math.min(seen.perSecond, perSecondOf(declared)),
    concurrency: Math.min(LEARN_CONCURRENCY_ROOM * seen.concurrency, declared.concurrency ?? Number.POSITIVE_INFINITY),
  };
  return {
    ...counted,
    perSecond: firstEstimate(LEARN_CUT * least.perSecond),
    concurrency: firstEstimate(least.concurrency),
    strikes: 0,
    sinceMs: nowMs,
    answers: 0,
    lookedMs: nowMs,
    sentThen: use.sent,
    answeredThen: use.answered,
  };
}

/** A look at what is used, at most every LEARN_EVERY_MS: what was used up without a refusal is raised, what reaches its declared limit is not learned any more. */
export function afterLook(learning: Learning, isClosed: boolean, use: GateUse): Learning {
  const { nowMs, sent, answered, inFlight, declared } = use;
  if (nowMs - learning.lookedMs < LEARN_EVERY_MS) return learning;
  const usedPerSecond = ((sent - learning.sentThen) * 1000) / (nowMs - learning.lookedMs);
  const looked = {
    ...learning,
    answers: learning.answers + Math.max(0, answered - learning.answeredThen),
    lookedMs: nowMs,
    sentThen: sent,
    answeredThen: answered,
    isClean: true,
  };
  if (!learning.isClean || isClosed) return looked;

  const { perSecond, concurrency } = learning;
  const within = (estimate: Estimate | null, most: number) => (estimate && estimate.value < most ? estimate : null);
  const isUsed = (estimate: Estimate, used: number) =>
    used >= LEARN_RAISED_FROM * Math.floor(Math.max(1, estimate.value));
  return {
    ...looked,
    quick: 0,
    perSecond: within(
      perSecond && raised(perSecond, usedPerSecond >= LEARN_RAISED_FROM * perSecond.value),
      perSecondOf(declared),
    ),
    concurrency: within(
      concurrency && raised(concurrency, isUsed(concurrency, inFlight)),
      declared.concurrency ?? Number.POSITIVE_INFINITY,
    ),
  };
}

/** One worker's part of what was learned, beside its share of the declared limits; a guess needs no exact parts. */
export function paceFor(learning: Learning | undefined, workers: number): GatePace | null {
  if (!learning?.perSecond && !learning?.concurrency) return null;
  const { perSecond, concurrency } = learning;
  return {
    rate: perSecond ? windowOf(perSecond.value / workers) : null,
    concurrency: concurrency ? Math.max(1, Math.floor(concurrency.value / workers)) : null,
  };
}

/** The window moves with the rate and not the number of calls in it, which is whole. A short one leaves little to catch up in a burst. */
function windowOf(perSecond: number) {
  const rate = Math.max(LEARN_LEAST_PER_SECOND, perSecond);
  const limit = Math.max(1, Math.round((rate * LEARN_WINDOW_MS) / 1000));
  return { limit, perMs: Math.round((limit * 1000) / rate) };
}

/** For people: what was learned, since when, from how many answers, and the lines that pin it into a provider file. */
export function learnedStatus(
  learning: Learning | undefined,
  offsetMs: number,
): NonNullable<GateStatus['learned']> | null {
  if (!learning?.perSecond && !learning?.concurrency) return null;
  const perSecond = learning.perSecond ? Math.round(learning.perSecond.value * 10) / 10 : null;
  const concurrency = learning.concurrency ? Math.floor(learning.concurrency.value) : null;
  const tenSeconds = perSecond === null ? null : Math.max(1, Math.round(perSecond * 10));
  return {
    perSecond,
    concurrency,
    sinceMs: learning.sinceMs - offsetMs,
    answers: learning.answers,
    pin: [
      'limits:',
      ...(tenSeconds === null ? [] : [`  rate: [ { limit: ${tenSeconds}, per: 10s } ]`]),
      ...(concurrency === null ? [] : [`  concurrency: ${concurrency}`]),
    ].join('\n'),
  };
}
