// Exact sliding windows: a request is judged by the admitted ones before it.
import type { Window } from './options';

/** An admitted request: when it arrived, and how many tokens it uses. */
export interface Admitted {
  atMs: number;
  tokens: number;
}

/**
 * Milliseconds until every window has room for one more request of `tokens`, 0 when all have it now; Infinity for one that is heavier than a window.
 * `admitted` is in order of arrival. A window is half open: with 20 per second the 21st request is admitted exactly 1,000 ms after the first.
 */
export function windowWaitMs(
  windows: readonly Window[],
  admitted: readonly Admitted[],
  { atMs: nowMs, tokens }: Admitted,
): number {
  const waits = windows.map(({ limit, perMs, unit }) => {
    const weightOf = (request: Pick<Admitted, 'tokens'>) => (unit === 'tokens' ? request.tokens : 1);
    let room = limit - weightOf({ tokens });
    if (room < 0) return Number.POSITIVE_INFINITY;
    for (let index = admitted.length - 1; index >= 0; index -= 1) {
      const request = admitted[index]!;
      if (request.atMs + perMs <= nowMs) return 0;
      room -= weightOf(request);
      if (room < 0) return request.atMs + perMs - nowMs;
    }
    return 0;
  });
  return Math.max(0, ...waits);
}
