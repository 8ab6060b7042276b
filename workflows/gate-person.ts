// Stops that only a person can end: who is stopped, and until when. Pure, instants on the gate's clock.
import type { NeedsPersonSignal } from '../contracts/gate';

export interface PersonStop {
  message: string;
  sinceMs: number;
}

/** The first message stays, unless a worker that was started after it met the same again. */
export function withPersonStop(
  stop: PersonStop | null | undefined,
  nowMs: number,
  { message, upMs }: NeedsPersonSignal,
): PersonStop {
  if (stop && nowMs - upMs <= stop.sinceMs) return stop;
  return { message, sinceMs: nowMs };
}

/** What a worker that was started at `upSinceMs` is told: one that came after the stop may have a new key, and tries. */
export function personStopFor(stop: PersonStop | null | undefined, upSinceMs: number | undefined): string | null {
  if (!stop) return null;
  return upSinceMs !== undefined && upSinceMs > stop.sinceMs ? null : stop.message;
}
