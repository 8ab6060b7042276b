// What an account turns out to admit where its limits are not declared, or declared wrongly: rate and calls in flight are raised in steps while
// they are used, and cut at a refusal (AIMD). Pure, instants on the gate's clock.
import type { GateLimits, GateLoad, GatePace, GateStatus, GateWindow } from '../contracts/gate';
import {
  LEARN_AFTER_REFUSALS,
  LEARN_BELOW_DECLARED_AFTER,
  LEARN_BELOW_DECLARED_WITHIN_MS,
  LEARN_CONCURRENCY_ROOM,
  LEARN_CUT,
  LEARN_EVERY_MS,
  LEARN_FORGET_MS,
  LEARN_LEAST_PER_SECOND,
  LEARN_RAISED_FROM,
  LEARN_TRUST_AGAIN_MS,
  LEARN_USED,
  LEARN_WHOLE_FROM,
  LEARN_WINDOW_MS,
} from '../contracts/limits';
import { afterCut, type Estimate, firstEstimate, raised } from './gate-estimate';
import { partOf } from './gate-shares';

export interface Learning {
  perSecond: Estimate | null;
  concurrency: Estimate | null;
  /** Refusals that limits in force did not explain, since which nothing else was learned; and the most that was going on at one of them. */
  strikes: number;
  mostSeen?: Seen;
  /** The last refusal of any kind. */
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

/** Over all workers, when a refused call was sent. */
interface Seen {
  perSecond: number;
  concurrency: number;
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
  /** When the last closing ended; 0 = there was none. */
  openSinceMs: number;
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

const more = (seen: Seen, before: Seen = seen): Seen => ({
  perSecond: Math.max(seen.perSecond, before.perSecond),
  concurrency: Math.max(seen.concurrency, before.concurrency),
});

/** So many refusals, each so soon after the account was open, before anything is learned. */
const evidenceFor = ({ rate, concurrency }: GateLimits) =>
  rate.length > 0 || concurrency !== null
    ? { after: LEARN_BELOW_DECLARED_AFTER, withinMs: LEARN_BELOW_DECLARED_WITHIN_MS }
    : { after: LEARN_AFTER_REFUSALS, withinMs: LEARN_FORGET_MS };

/** `load`: of the worker that was refused, when the refused call was sent. Others are taken to do the same. */
export function afterRefusal(known: Learning | undefined, load: GateLoad, use: GateUse): Learning {
  const learning = known ?? NOTHING_LEARNED;
  const { nowMs, declared, workers } = use;
  const seen = { perSecond: Math.max(1, load.perSecond) * workers, concurrency: Math.max(1, load.inFlight) * workers };
  const { perSecond, concurrency } = learning;
  // What one worker does tells of the others to a call for each; of itself it is exact.
  const unsure = workers > 1 ? workers : 0;
  const quick = learning.quick + 1;
  // Refused again and again, it is not known by which of the two: both give way.
  const isFull = {
    perSecond: quick > 1 || (perSecond !== null && seen.perSecond >= LEARN_USED * perSecond.value),
    concurrency: quick > 1 || (concurrency !== null && seen.concurrency + workers >= Math.floor(concurrency.value)),
  };
  if ((perSecond && isFull.perSecond) || (concurrency && isFull.concurrency)) {
    return {
      ...learning,
      perSecond:
        perSecond && isFull.perSecond
          ? afterCut(perSecond, quick > 1 ? seen.perSecond + unsure : perSecond.value)
          : perSecond,
      concurrency: concurrency && isFull.concurrency ? afterCut(concurrency, seen.concurrency + unsure) : concurrency,
      strikes: 0,
      strikeMs: nowMs,
      isClean: false,
      quick,
    };
  }
  const { after, withinMs } = evidenceFor(declared);
  const sinceMs = Math.max(learning.strikeMs, use.openSinceMs);
  const { strikes, mostSeen } =
    nowMs - sinceMs > withinMs
      ? { strikes: 1, mostSeen: seen }
      : { strikes: learning.strikes + 1, mostSeen: more(seen, learning.mostSeen) };
  const counted = { ...learning, strikes, mostSeen, strikeMs: nowMs, isClean: false, quick };
  if (strikes < after) return counted;
  const least = {
    perSecond: Math.min(mostSeen.perSecond, perSecondOf(declared)),
    concurrency: Math.min(LEARN_CONCURRENCY_ROOM * mostSeen.concurrency, declared.concurrency ?? Infinity),
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
  const { nowMs, sent, answered, inFlight, declared, workers } = use;
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
  const most = { perSecond: perSecondOf(declared), concurrency: declared.concurrency ?? Infinity };
  const isTrusted = (limit: number) => Number.isFinite(limit) && nowMs - learning.strikeMs > LEARN_TRUST_AGAIN_MS;
  const within = (estimate: Estimate | null, most: number) => (estimate && estimate.value < most ? estimate : null);
  const isUsed = (estimate: Estimate, used: number) =>
    used >= LEARN_RAISED_FROM * Math.floor(Math.max(1, estimate.value));
  const isFull = concurrency !== null && isUsed(concurrency, inFlight);
  const next = {
    perSecond: within(
      perSecond &&
        raised(
          perSecond,
          isTrusted(most.perSecond) || usedPerSecond >= LEARN_RAISED_FROM * paced(perSecond.value, workers),
        ),
      most.perSecond,
    ),
    concurrency: within(concurrency && raised(concurrency, isTrusted(most.concurrency) || isFull), most.concurrency),
  };
  // The declared rate turned out to be right, and so many calls at the same time are not what it was refused for.
  const isCleared = perSecond !== null && next.perSecond === null && !isFull;
  return { ...looked, quick: 0, ...next, ...(isCleared ? { concurrency: null } : {}) };
}

/** What was learned as the part of the `place`-th (from 0) of `workers`, beside its share of the declared limits; parts of a guess move at once. */
export function paceFor(learning: Learning | undefined, place: number, workers: number): GatePace | null {
  if (!learning?.perSecond && !learning?.concurrency) return null;
  const { perSecond, concurrency } = learning;
  return {
    rate: perSecond ? paceWindow(perSecond.value, place, workers) : null,
    concurrency: concurrency ? Math.max(1, Math.floor(concurrency.value / workers)) : null,
  };
}

const isWhole = (perSecond: number, workers: number): boolean => perSecond >= LEARN_WHOLE_FROM * workers;

/** What an estimate lets through. */
const paced = (perSecond: number, workers: number): number =>
  isWhole(perSecond, workers) ? Math.floor(perSecond) : perSecond;

/**
 * Whole calls a second: divided in fractions, a second in which every worker is at its upper end has one call more for each than was learned, so that a
 * limit would be found the lower, the more workers share it. Where whole parts are too coarse the window moves with the rate.
 */
function paceWindow(perSecond: number, place: number, workers: number): GateWindow {
  if (isWhole(perSecond, workers)) return { limit: partOf(Math.floor(perSecond), place, workers), perMs: 1000 };
  const rate = Math.max(LEARN_LEAST_PER_SECOND, perSecond / workers);
  const limit = Math.max(1, Math.round((rate * LEARN_WINDOW_MS) / 1000));
  return { limit, perMs: Math.round((limit * 1000) / rate) };
}

/** For people: what was learned, since when, from how many answers, and the lines that pin it into a provider file. */
export function learnedStatus(
  learning: Learning | undefined,
  workers: number,
  offsetMs: number,
): NonNullable<GateStatus['learned']> | null {
  if (!learning?.perSecond && !learning?.concurrency) return null;
  const perSecond = learning.perSecond ? Math.round(paced(learning.perSecond.value, workers) * 10) / 10 : null;
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
