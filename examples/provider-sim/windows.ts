// Exact sliding windows: a request is judged by the admitted ones before it.
import type { Window } from './options';

/**
 * Milliseconds until every window has room, 0 when all have it now. `admittedAtMs` is in ascending order.
 * A window is half open: with 20 per second the 21st request is admitted exactly 1,000 ms after the first.
 */
export function windowWaitMs(windows: readonly Window[], admittedAtMs: readonly number[], nowMs: number): number {
  const waits = windows.map(({ limit, perMs }) => {
    const blocking = admittedAtMs[admittedAtMs.length - limit];
    return blocking === undefined ? 0 : blocking + perMs - nowMs;
  });
  return Math.max(0, ...waits);
}
