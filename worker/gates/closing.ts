// Closed or open, throttles in a row, and when to give up, pure. All instants are monotonic milliseconds.
import { JITTER_MAX_MS, JITTER_MIN_MS, JITTER_SHARE } from '../../contracts/limits';

/** `generation` counts closings. A call belongs to the generation in which it was sent, so it was sent after the last closing if the two are equal. */
export interface ClosingState {
  generation: number;
  /** Closed before this instant. */
  untilMs: number;
  /** Random number of this closing, [0, 1): hints that arrive later share it, so the jitter is drawn once. */
  draw: number;
  /** k of the rate-limit rules: closings in a row caused by calls sent after the one before. */
  throttlesInARow: number;
  /** First throttle since the last success; null = none. */
  firstThrottleMs: number | null;
}

export const NEVER_CLOSED: ClosingState = {
  generation: 0,
  untilMs: Number.NEGATIVE_INFINITY,
  draw: 0,
  throttlesInARow: 0,
  firstThrottleMs: null,
};

/** Added to a wait of `delayMs`: a part `draw` of a fifth of it, that fifth being kept within 2 s and 30 s. */
export function jitterMs(delayMs: number, draw: number): number {
  return draw * Math.min(JITTER_MAX_MS, Math.max(JITTER_MIN_MS, JITTER_SHARE * delayMs));
}

export function isClosed(state: ClosingState, nowMs: number): boolean {
  return nowMs < state.untilMs;
}

/** The k that a throttle answer to a call of `generation` has. Calls that were in flight together, or were overtaken by a closing, add nothing. */
export function throttleNumber(state: ClosingState, nowMs: number, generation: number): number {
  const counts = !isClosed(state, nowMs) && generation === state.generation;
  return counts ? state.throttlesInARow + 1 : Math.max(1, state.throttlesInARow);
}

export interface Throttle {
  nowMs: number;
  /** Wait that the answer asked for, before jitter; a negative one counts as 0. */
  delayMs: number;
  /** Generation of the refused call; null = no call of this account, such as a closing of the whole provider. */
  generation: number | null;
  /** A new random number in [0, 1), used when this throttle begins a closing. */
  draw: number;
}

/** The state after a throttle: a later instant wins, an earlier one changes nothing but the counts. */
export function afterThrottle(state: ClosingState, throttle: Throttle): ClosingState {
  const { nowMs, generation } = throttle;
  const begins = !isClosed(state, nowMs);
  const draw = begins ? throttle.draw : state.draw;
  const delayMs = Math.max(0, throttle.delayMs);
  return {
    generation: begins ? state.generation + 1 : state.generation,
    untilMs: Math.max(state.untilMs, nowMs + delayMs + jitterMs(delayMs, draw)),
    draw,
    throttlesInARow: state.throttlesInARow + (begins && generation === state.generation ? 1 : 0),
    firstThrottleMs: state.firstThrottleMs ?? nowMs,
  };
}

/** The state after a closing that somebody else met, whose end is settled: an end that is later wins. Since when nothing goes through is told with it. */
export function closedUntil(state: ClosingState, nowMs: number, untilMs: number): ClosingState {
  const generation = isClosed(state, nowMs) ? state.generation : state.generation + 1;
  return { ...state, generation, untilMs: Math.max(state.untilMs, untilMs) };
}

/** What the other workers met: throttles in a row, and since when nothing went through (`null` = something did). */
export interface Shared {
  throttlesInARow: number;
  firstThrottleMs: number | null;
}

/** The state with what all workers know together: the longer row of throttles; a success of anybody ends them while the account is open. */
export function withShared(state: ClosingState, shared: Shared, nowMs: number): ClosingState {
  const { throttlesInARow, firstThrottleMs } = shared;
  if (firstThrottleMs === null) return isClosed(state, nowMs) ? state : { ...state, ...shared };
  return {
    ...state,
    throttlesInARow: Math.max(state.throttlesInARow, throttlesInARow),
    firstThrottleMs: Math.min(state.firstThrottleMs ?? firstThrottleMs, firstThrottleMs),
  };
}

/** The state after a success of a call of `generation`: a late one, sent before the last closing, proves nothing. */
export function afterSuccess(state: ClosingState, generation: number): ClosingState {
  if (generation !== state.generation) return state;
  return { ...state, throttlesInARow: 0, firstThrottleMs: null };
}

/** From when on an account that stays closed is given up; Infinity while there is nothing to give up. A reopening still sends its probe. */
export function exhaustedAtMs(state: ClosingState, giveUpAfterMs: number): number {
  return state.firstThrottleMs === null ? Number.POSITIVE_INFINITY : state.firstThrottleMs + giveUpAfterMs;
}

/** Also before that instant, while a closing reaches beyond it: nothing can go through until then. A day that a provider asks for is held with its jitter. */
export function isExhausted(state: ClosingState, nowMs: number, giveUpAfterMs: number): boolean {
  const atMs = exhaustedAtMs(state, giveUpAfterMs);
  return isClosed(state, nowMs) && (nowMs >= atMs || state.untilMs > atMs + JITTER_MAX_MS);
}
