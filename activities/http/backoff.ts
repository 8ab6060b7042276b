// How long to wait when the server did not say, and how much to add when it did. Pure: random is an argument, every result is finite.
import {
  JITTER_MAX_MS,
  JITTER_MIN_MS,
  JITTER_SHARE,
  QUOTA_PROBE_MAX_MS,
  QUOTA_PROBE_MIN_MS,
  SUBSECOND_FLOOR_CAP_MS,
  SUBSECOND_FLOOR_MS,
  THROTTLE_BASE_MS,
  THROTTLE_CAP_MS,
  TRANSIENT_BASE_MS,
  TRANSIENT_CAP_MS,
} from '../../contracts/limits';

/** 2^1024 is Infinity, and Infinity times a random 0 is NaN. */
const MAX_DOUBLINGS = 30;

/** THROTTLE(k): the wait after the k-th throttle answer in a row (from 1) that names no time. */
export const throttleMs = (k: number): number => doubled(THROTTLE_BASE_MS, k, THROTTLE_CAP_MS);

/** SUBSEC_FLOOR(k): no floor for the first throttle, a growing one from the second. */
export const subsecondFloorMs = (k: number): number =>
  k < 2 ? 0 : doubled(SUBSECOND_FLOOR_MS, k, SUBSECOND_FLOOR_CAP_MS);

/** TRANSIENT(n): the drawn wait after the n-th failed attempt (from 1). */
export function transientMs(attempt: number, random: () => number, capMs: number = TRANSIENT_CAP_MS): number {
  const bound = doubled(TRANSIENT_BASE_MS, attempt, capMs);
  return Math.ceil(bound / 2 + (random() * bound) / 2);
}

/** A drawn wait for a quota whose reset is not known; jitter on top of it stays within the hour. */
export const quotaProbeMs = (random: () => number): number =>
  QUOTA_PROBE_MIN_MS + Math.floor(random() * (QUOTA_PROBE_MAX_MS - JITTER_MAX_MS - QUOTA_PROBE_MIN_MS));

/**
 * What is added, never subtracted, to a wait of `delayMs` so that not everybody comes at once: up to a fifth, between 2 s and 30 s.
 * Throws RangeError for a delay that is negative or not finite: such a number must not reach a timer.
 */
export function jitterMs(delayMs: number, random: () => number): number {
  if (!Number.isFinite(delayMs) || delayMs < 0) {
    throw new RangeError(`jitterMs: delayMs is ${delayMs}, expected a finite number of milliseconds from 0`);
  }
  return Math.floor(random() * Math.min(JITTER_MAX_MS, Math.max(JITTER_MIN_MS, JITTER_SHARE * delayMs)));
}

const doubled = (baseMs: number, nth: number, capMs: number): number =>
  Math.min(capMs, baseMs * 2 ** Math.max(0, Math.min(nth - 1, MAX_DOUBLINGS)));
