// When an answer says the next request may come: which source counts, and which one wins over which.
import { HINT_ROUNDING_MS } from '../../contracts/limits';
import type { AnswerView } from './answer-view';
import { textsAt } from './body-view';
import { spentBucket } from './buckets';
import { headerLines } from './headers';
import { type Hint, headerName, latestHint, saidIn, timeHints } from './hint';
import type { CostFields, WaitField } from './profiles/profile';
import { FAR_MS, parseDuration, parseNumberOf } from './retry-at';

/**
 * Delay from the arrival of the answer, zero when the instant has passed; null when nothing usable is said.
 * The first source that yields a value: what is said about this very refusal, exhausted buckets, prose that the profile knows.
 */
export function hintOf(view: AnswerView, throttled: boolean): Hint | null {
  const prose = proseHint(view);
  const asked = finerOrLater(askedHint(view), prose, true);
  return asked ?? spentBucket(view, throttled) ?? prose;
}

/** What the answer says about this very refusal: Retry-After, its spellings in milliseconds, body fields, the cost of a query. */
function askedHint(view: AnswerView): Hint | null {
  const fine = [...view.profile.waits.flatMap((field) => waitsOf(view, field)), ...costWaits(view)];
  return finerOrLater(latestHint(waitsOf(view, { header: 'retry-after' })), latestHint(fine), false);
}

/** A wait that does not depend on reading the answer as a throttle: asked for, or until a bucket that is said to be empty is full again. */
export const statedWait = (view: AnswerView): Hint | null => askedHint(view) ?? spentBucket(view, false);

/** True when the query costs more than its bucket ever holds: no wait helps. */
export function neverFits(view: AnswerView): boolean {
  const cost = view.profile.cost && readCost(view, view.profile.cost);
  return cost !== undefined && cost.requested > cost.maximum;
}

/** Two values nearer than a second are one, rounded differently: the finer counts. Otherwise the later one, or the coarse one alone. */
function finerOrLater(coarse: Hint | null, fine: Hint | null, onlyRefine: boolean): Hint | null {
  if (coarse === null || fine === null) return coarse ?? (onlyRefine ? null : fine);
  if (Math.abs(coarse.delayMs - fine.delayMs) < HINT_ROUNDING_MS) return fine;
  return onlyRefine || coarse.delayMs > fine.delayMs ? coarse : fine;
}

const waitsOf = (view: AnswerView, { header, path, unit }: WaitField): Hint[] => [
  ...(header === undefined ? [] : hintsIn(view, headerName(header), headerLines(view.headers, header), unit)),
  ...(path === undefined ? [] : hintsIn(view, `body ${path}`, textsAt(view.body, path), unit)),
];

function hintsIn(view: AnswerView, where: string, texts: readonly string[], unit: WaitField['unit']): Hint[] {
  if (unit === undefined) return timeHints(view, where, texts);
  return texts.flatMap((text) => readHint(where, unit, text));
}

function costWaits(view: AnswerView): Hint[] {
  const cost = view.profile.cost && readCost(view, view.profile.cost);
  if (!cost || cost.ratePerSecond <= 0 || cost.requested > cost.maximum) return [];
  const seconds = (cost.requested - cost.available) / cost.ratePerSecond;
  const said = saidIn(`body ${view.profile.cost?.available}`, String(cost.available));
  return [{ delayMs: Math.min(FAR_MS, Math.ceil(Math.max(0, seconds * 1000))), said }];
}

function readCost(view: AnswerView, fields: CostFields) {
  const read = (path: string): number => Number(textsAt(view.body, path)[0] ?? Number.NaN);
  const cost = {
    requested: read(fields.requested),
    available: read(fields.available),
    maximum: read(fields.maximum),
    ratePerSecond: read(fields.ratePerSecond),
  };
  return Object.values(cost).every(Number.isFinite) ? cost : undefined;
}

function proseHint(view: AnswerView): Hint | null {
  const found = view.profile.prose.flatMap(({ path, like, unit }) => {
    const pattern = new RegExp(like, 'i');
    return textsAt(view.body, path).flatMap((text) => readHint(`body ${path}`, unit, pattern.exec(text)?.[1] ?? ''));
  });
  return latestHint(found);
}

function readHint(where: string, unit: 'ms' | 's' | 'm' | 'duration', text: string): Hint[] {
  const delayMs = unit === 'duration' ? parseDuration(text.trim()) : parseNumberOf(unit, text);
  return delayMs === null ? [] : [{ delayMs, said: saidIn(where, text) }];
}
