// Rate-limit buckets that an answer describes, in whatever spelling: how much is left of each, and when it is full again.
import type { AnswerView } from './answer-view';
import { valuesAt, viewBody } from './body-view';
import { firstHeader, headerLines } from './headers';
import { type Hint, headerName, latestHint, timeHints } from './hint';
import { parseRateLimitField } from './rate-limit-field';

/** `left` null: the answer does not say. `reset` null: it does not say, or not readably. */
export interface Bucket {
  left: number | null;
  reset: Hint | null;
}

const PLAIN_NUMBER = /^-?[0-9]{1,15}(?:\.[0-9]{1,9})?$/;

function bucketsOf(view: AnswerView): Bucket[] {
  return [...headerBuckets(view), ...jsonBuckets(view), ...fieldBuckets(view)];
}

/**
 * When the last exhausted bucket is full again, null when none is exhausted. A bucket with something left says nothing.
 * `unstatedIsSpent`: on a throttle answer a bucket that does not tell what is left counts as exhausted.
 */
export function spentBucket(view: AnswerView, unstatedIsSpent: boolean): Hint | null {
  const spent = bucketsOf(view).filter((bucket) => (bucket.left === null ? unstatedIsSpent : bucket.left <= 0));
  return latestHint(spent.flatMap((bucket) => bucket.reset ?? []));
}

/** Whether the answer says of any bucket that nothing is left. */
export const saysSpent = (view: AnswerView): boolean =>
  bucketsOf(view).some((bucket) => bucket.left !== null && bucket.left <= 0);

function headerBuckets(view: AnswerView): Bucket[] {
  return view.profile.buckets.flatMap((names) => {
    const resets = headerLines(view.headers, names.reset);
    const remaining = names.remaining === undefined ? undefined : firstHeader(view.headers, names.remaining);
    if (resets.length === 0 && remaining === undefined) return [];
    const state = names.spent && firstHeader(view.headers, names.spent.header)?.trim();
    const stated = state === undefined ? readCount(remaining) : state === names.spent?.is ? 0 : 1;
    return [{ left: stated, reset: latestHint(timeHints(view, headerName(names.reset), resets)) }];
  });
}

function jsonBuckets(view: AnswerView): Bucket[] {
  return view.profile.jsonBuckets.flatMap((names) =>
    headerLines(view.headers, names.header).flatMap((line) => {
      const [document] = viewBody(line).documents;
      const [left] = valuesAt(document, names.remaining);
      const [reset] = valuesAt(document, names.reset);
      if (left === undefined && reset === undefined) return [];
      const where = `${headerName(names.header)} ${names.reset}`;
      return [{ left: readCount(String(left)), reset: latestHint(timeHints(view, where, [String(reset)])) }];
    }),
  );
}

function fieldBuckets(view: AnswerView): Bucket[] {
  const lines = headerLines(view.headers, 'ratelimit');
  if (lines.length === 0) return [];
  return parseRateLimitField(lines.join(', ')).map(({ left, resetSeconds }) => ({
    left,
    reset: resetSeconds === null ? null : latestHint(timeHints(view, 'RateLimit t', [resetSeconds])),
  }));
}

const readCount = (text: string | undefined): number | null =>
  text !== undefined && PLAIN_NUMBER.test(text.trim()) ? Number(text.trim()) : null;
