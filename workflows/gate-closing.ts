// When a gate is closed, for how many throttles in a row, and since when nothing went through: pure, instants on the gate's clock.
import type { EndpointStatus, ThrottledSignal, ToldClosing } from '../contracts/gate';
import type { HoldReason } from '../contracts/outcomes';

export interface GateClosing {
  /** Grows whenever the end moves. */
  number: number;
  /** Closed before this instant; 0 = never closed. */
  untilMs: number;
  reason: HoldReason;
  status: number | null;
  /** What the answer said of the wait; states of earlier versions have none. */
  said?: string | null;
  throttlesInARow: number;
  /** First throttle since the last success; null = none. */
  firstThrottleMs: number | null;
}

export const NEVER_CLOSED: GateClosing = {
  number: 0,
  untilMs: 0,
  reason: 'throttled',
  status: null,
  throttlesInARow: 0,
  firstThrottleMs: null,
};

export const isClosed = (closing: GateClosing, nowMs: number): boolean => nowMs < closing.untilMs;

/** The later end wins, and says why. Throttles that arrive while the gate is closed belong to one closing: they add nothing to k. */
export function afterThrottle(closing: GateClosing, nowMs: number, throttled: ThrottledSignal): GateClosing {
  const { remainingMs, reason, status = null, said = null, isRest = false } = throttled;
  const untilMs = nowMs + remainingMs;
  const counted = isRest
    ? closing
    : {
        ...closing,
        throttlesInARow: closing.throttlesInARow + (isClosed(closing, nowMs) ? 0 : 1),
        firstThrottleMs: closing.firstThrottleMs ?? nowMs,
      };
  return untilMs > closing.untilMs
    ? { ...counted, number: closing.number + 1, untilMs, reason, status, said }
    : counted;
}

/** A success that arrives while the gate is closed was sent before and proves nothing. */
export function afterSuccess(closing: GateClosing, nowMs: number): GateClosing {
  return isClosed(closing, nowMs) ? closing : { ...closing, throttlesInARow: 0, firstThrottleMs: null };
}

export function toldClosing(closing: GateClosing, nowMs: number): ToldClosing | null {
  if (!isClosed(closing, nowMs)) return null;
  const { number, untilMs, reason, status } = closing;
  return { number, remainingMs: untilMs - nowMs, reason, status };
}

/** For people, instants on the server's clock. Why it is closed is told as long as it is. */
export function closingStatus(
  closing: GateClosing,
  seenMs: number,
  offsetMs: number,
): Omit<EndpointStatus, 'endpoint'> {
  const { untilMs, reason, status, said = null, throttlesInARow, firstThrottleMs } = closing;
  const closed = isClosed(closing, seenMs);
  return {
    closedUntilMs: closed ? untilMs - offsetMs : null,
    reason: closed ? reason : null,
    status: closed ? status : null,
    said: closed ? said : null,
    throttlesInARow,
    firstThrottleAtMs: firstThrottleMs === null ? null : firstThrottleMs - offsetMs,
  };
}
