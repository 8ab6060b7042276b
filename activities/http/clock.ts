// The server's clock as its answer shows it, and what its instants mean on ours.
import { parseHttpDate } from './http-date';
import { FAR_MS, type TimeValue } from './retry-at';

/** Two readings of one moment: when the answer arrived by our clock, and by the server's (Date + Age), which is ours when it does not say. */
export interface AnswerClock {
  observedAtMs: number;
  serverNowMs: number;
}

const DIGITS = /^[0-9]{1,10}$/;

/** `date` and `age` are the header values, undefined when absent; unreadable ones count as absent. */
export function answerClock(observedAtMs: number, date: string | undefined, age: string | undefined): AnswerClock {
  const serverDate = date === undefined ? null : parseHttpDate(date.trim(), observedAtMs);
  const ageMs = age !== undefined && DIGITS.test(age.trim()) ? Number(age.trim()) * 1000 : 0;
  return { observedAtMs, serverNowMs: serverDate === null ? observedAtMs : serverDate + ageMs };
}

/** Milliseconds from the arrival of the answer until the value; zero when it has passed. `maxHoldMs` tells a broken server clock from a long wait. */
export function delayOf(value: TimeValue, clock: AnswerClock, maxHoldMs: number): number {
  if (value.kind === 'delay') return value.ms;
  const byServer = value.epochMs - clock.serverNowMs;
  const byUs = value.epochMs - clock.observedAtMs;
  const serverClockIsBroken = byServer > maxHoldMs && byUs >= 0 && byUs <= maxHoldMs;
  return Math.max(0, Math.min(FAR_MS, serverClockIsBroken ? byUs : byServer));
}

/** The instant on our clock, kept within the years that can be written. */
export const instantAfter = (observedAtMs: number, delayMs: number): number =>
  Math.min(FAR_MS, Math.ceil(observedAtMs + delayMs));
