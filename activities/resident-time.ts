// The 5 s that a call may wait inside its activity, counted on the monotonic clock from its first local wait (design 2, rule 4).
import { RESIDENT_BUDGET_MS } from '../contracts/limits';
import type { Clock } from './clock';

export interface ResidentTime {
  /** Milliseconds that are left; the whole budget while nothing was waited for yet. */
  leftMs(): number;
  /** True when a wait until the wall-clock instant still fits. */
  fits(retryAtMs: number): boolean;
  /** Starts the budget, if it has not started; `atMs` on the monotonic clock, now when left out. */
  begin(atMs?: number): void;
}

export function createResidentTime(clock: Clock): ResidentTime {
  let beganMs: number | null = null;
  const leftMs = () =>
    beganMs === null ? RESIDENT_BUDGET_MS : Math.max(0, RESIDENT_BUDGET_MS - (clock.monotonicMs() - beganMs));
  return {
    leftMs,
    fits: (retryAtMs) => leftMs() > 0 && retryAtMs - clock.wallMs() <= leftMs(),
    begin(atMs = clock.monotonicMs()) {
      beganMs ??= atMs;
    },
  };
}

/** Resolves at the wall-clock instant as it is known now, never before it, or at once when the signal aborts; true when it was aborted. */
export function waitUntil(retryAtMs: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const endMs = clock.monotonicMs() + Math.max(0, Math.min(retryAtMs - clock.wallMs(), RESIDENT_BUDGET_MS));
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(true);
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve(signal.aborted);
    };
    // A timer of Node may fire up to 1 ms early.
    const look = () => (clock.monotonicMs() < endMs ? startTimer() : end());
    const startTimer = () => {
      timer = setTimeout(look, Math.ceil(endMs - clock.monotonicMs()));
    };
    let timer: NodeJS.Timeout;
    startTimer();
    signal.addEventListener('abort', end);
  });
}
