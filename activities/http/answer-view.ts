// One answer with everything looked up once: what rules and hints read from.
import { MAX_HOLD_MS } from '../../contracts/limits';
import { type BodyView, valuesAt, viewBody } from './body-view';
import { type AnswerClock, answerClock } from './clock';
import { firstHeader, type Headers, indexHeaders } from './headers';
import type { Profile } from './profiles/profile';
import type { HeaderLine, HttpAnswer, ReadContext } from './verdict';

export interface AnswerView {
  status: number;
  headers: Headers;
  body: BodyView;
  bodyComplete: boolean;
  profile: Profile;
  clock: AnswerClock;
  maxHoldMs: number;
  /** An intermediary answered from its store (Age above 0): what it says of buckets is old. */
  fromCache: boolean;
}

export function viewAnswer(answer: HttpAnswer, context: Pick<ReadContext, 'profile' | 'maxHoldMs'>): AnswerView {
  const { profile } = context;
  const body = viewBody(answer.bodyPrefix);
  const headers = indexHeaders([...answer.rawHeaders, ...copiedHeaders(body, profile)]);
  const own = indexHeaders(answer.rawHeaders);
  const age = firstHeader(own, 'age');
  return {
    status: answer.status,
    headers,
    body,
    bodyComplete: answer.bodyComplete,
    profile,
    clock: answerClock(answer.observedAtMs, firstHeader(own, 'date'), age),
    maxHoldMs: context.maxHoldMs ?? MAX_HOLD_MS,
    fromCache: age !== undefined && /^[0-9]*[1-9][0-9]*$/.test(age.trim()),
  };
}

function copiedHeaders(body: BodyView, profile: Profile): HeaderLine[] {
  const path = profile.copiedHeaders;
  if (path === undefined) return [];
  return body.documents.flatMap((document) => valuesAt(document, path)).flatMap(headerLinesOf);
}

/** The string and number members of a JSON object, as header lines. */
export function headerLinesOf(value: unknown): HeaderLine[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [];
  return Object.entries(value)
    .filter(([, member]) => typeof member === 'string' || typeof member === 'number')
    .map(([name, member]) => [name, String(member)] as const);
}
