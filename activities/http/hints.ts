// When an answer says the next request may come: which source counts, and which one wins over which.
import { HINT_ROUNDING_MS } from '../../contracts/limits';
import type { AnswerView } from './answer-view';
import { textsAt } from './body-view';
import { spentBucketMs } from './buckets';
import { delayOf } from './clock';
import { headerLines } from './headers';
import type { CostFields, WaitField } from './profiles/profile';
import { FAR_MS, parseDuration, parseNumberOf, parseTimeValues } from './retry-at';

/**
 * Delay in milliseconds from the arrival of the answer, zero when the instant has passed, null when nothing usable is said.
 * The first source that yields a value: what is said about this very refusal, exhausted buckets, prose that the profile knows.
 */
export function hintMs(view: AnswerView, throttled: boolean): number | null {
  const prose = proseMs(view);
  const asked = finerOrLater(askedMs(view), prose, true);
  return asked ?? spentBucketMs(view, throttled) ?? prose;
}

/** What the answer says about this very refusal: Retry-After, its spellings in milliseconds, body fields, the cost of a query. */
export function askedMs(view: AnswerView): number | null {
  const fine = [...view.profile.waits.flatMap((field) => waitsOf(view, field)), ...costWaits(view)];
  return finerOrLater(latest(waitsOf(view, { header: 'retry-after' })), latest(fine), false);
}

/** A wait that does not depend on reading the answer as a throttle: asked for, or until a bucket that is said to be empty is full again. */
export const statedWaitMs = (view: AnswerView): number | null => askedMs(view) ?? spentBucketMs(view, false);

/** True when the query costs more than its bucket ever holds: no wait helps. */
export function neverFits(view: AnswerView): boolean {
  const cost = view.profile.cost && readCost(view, view.profile.cost);
  return cost !== undefined && cost.requested > cost.maximum;
}

/** Two values nearer than a second are one, rounded differently: the finer counts. Otherwise the later one, or the coarse one alone. */
function finerOrLater(coarse: number | null, fine: number | null, onlyRefine: boolean): number | null {
  if (coarse === null || fine === null) return coarse ?? (onlyRefine ? null : fine);
  if (Math.abs(coarse - fine) < HINT_ROUNDING_MS) return fine;
  return onlyRefine ? coarse : Math.max(coarse, fine);
}

function waitsOf(view: AnswerView, field: WaitField): number[] {
  const texts = [
    ...(field.header === undefined ? [] : headerLines(view.headers, field.header)),
    ...(field.path === undefined ? [] : textsAt(view.body, field.path)),
  ];
  if (field.unit === undefined) {
    const values = parseTimeValues(texts, view.clock.observedAtMs);
    return values.map((value) => delayOf(value, view.clock, view.maxHoldMs));
  }
  return texts.flatMap((text) => readIn(field.unit ?? 's', text) ?? []);
}

function costWaits(view: AnswerView): number[] {
  const cost = view.profile.cost && readCost(view, view.profile.cost);
  if (!cost || cost.ratePerSecond <= 0 || cost.requested > cost.maximum) return [];
  const seconds = (cost.requested - cost.available) / cost.ratePerSecond;
  return [Math.min(FAR_MS, Math.ceil(Math.max(0, seconds * 1000)))];
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

function proseMs(view: AnswerView): number | null {
  const found = view.profile.prose.flatMap(({ path, like, unit }) => {
    const pattern = new RegExp(like, 'i');
    return textsAt(view.body, path).flatMap((text) => readIn(unit, pattern.exec(text)?.[1] ?? '') ?? []);
  });
  return latest(found);
}

const readIn = (unit: 'ms' | 's' | 'm' | 'duration', text: string): number | null =>
  unit === 'duration' ? parseDuration(text.trim()) : parseNumberOf(unit, text);

const latest = (delays: readonly number[]): number | null => (delays.length === 0 ? null : Math.max(...delays));
