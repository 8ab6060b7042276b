// Rows per second over the last seconds, and the time that is left where that can be said honestly.
import { RATE_WINDOW_MS } from '../contracts/limits';

/** Rows that had ended at an instant. */
export interface Sample {
  atMs: number;
  ended: number;
}

/** The samples with `sample` added; what is older than the window is dropped, but for the one that the window starts at. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const all = [...samples, sample];
  const start = all.findLastIndex((one) => one.atMs <= sample.atMs - RATE_WINDOW_MS);
  return all.slice(Math.max(0, start));
}

/** Rows per second over the samples; null with less than half a window of them. */
export function rowsPerSecond(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.atMs - first.atMs < RATE_WINDOW_MS / 2) return null;
  return ((last.ended - first.ended) * 1000) / (last.atMs - first.atMs);
}

/**
 * Milliseconds until the last row at this rate. Null when it would be a guess: nothing ended lately, rows are parked, or a
 * provider is closed, since then the rest waits for an instant and not for the rate.
 */
export function restMs(
  rate: number | null,
  rowsLeft: number,
  waits: { parked: number; closedProviders: number },
): number | null {
  if (rate === null || rate <= 0 || waits.parked > 0 || waits.closedProviders > 0) return null;
  return (rowsLeft / rate) * 1000;
}
