// One wait that an answer names, and where it stands in the answer: what people see of it.
import { SAID_CHARACTERS } from '../../contracts/limits';
import type { AnswerView } from './answer-view';
import { delayOf } from './clock';
import { readTimeValues } from './retry-at';

/** `delayMs` from the arrival of the answer, ≥ 0. `said`: where it stands and what, such as `Retry-After: 30`; null = nobody has said it. */
export interface Hint {
  delayMs: number;
  said: string | null;
}

/** `text` was read as a time or a number as a whole, so nothing else can be in it. */
export const saidIn = (where: string, text: string): string => `${where}: ${text.trim()}`.slice(0, SAID_CHARACTERS);

/** The header as it is usually written. */
export const headerName = (lowerCase: string): string =>
  lowerCase.replace(/(?<=^|-)[a-z]/g, (first) => first.toUpperCase());

/** The readable time values of header lines, or of texts of the body. */
export const timeHints = (
  { clock, maxHoldMs }: Pick<AnswerView, 'clock' | 'maxHoldMs'>,
  where: string,
  texts: readonly string[],
): Hint[] =>
  readTimeValues(texts, clock.observedAtMs).map(({ text, value }) => ({
    delayMs: delayOf(value, clock, maxHoldMs),
    said: saidIn(where, text),
  }));

export const latestHint = (hints: readonly Hint[]): Hint | null =>
  hints.reduce<Hint | null>(
    (latest, hint) => (latest !== null && latest.delayMs >= hint.delayMs ? latest : hint),
    null,
  );
