// An answer that carries the answers of many rows: takes out the one of this row, as if it had come alone.
import { headerLinesOf } from './answer-view';
import { valuesAt, viewBody } from './body-view';
import type { BatchFields } from './profiles/profile';
import type { HeaderLine, HttpAnswer } from './verdict';

/**
 * The inner answer of `item`; null when the body has none, or it has no status. A refused item waits for the longest wait of all
 * refused ones, since they are sent again together. Date and Age are those of the outer answer.
 */
export function innerAnswer(outer: HttpAnswer, fields: BatchFields, item: string): HttpAnswer | null {
  const [document] = viewBody(outer.bodyPrefix).documents;
  const elements = valuesAt(document, `${fields.list}[]`);
  const own = elements.find((element) => valuesAt(element, fields.id).some((id) => String(id) === item));
  const status = valuesAt(own, fields.status)[0];
  if (typeof status !== 'number') return null;
  const refused = elements.filter((element) => Number(valuesAt(element, fields.status)[0]) >= 400);
  const sources = status >= 400 ? refused : [own];
  const outerClock = outer.rawHeaders.filter(([name]) => ['date', 'age'].includes(name.toLowerCase()));
  const body = valuesAt(own, fields.body)[0];
  return {
    status,
    rawHeaders: [...outerClock, ...sources.flatMap((element) => innerHeaders(element, fields, element === own))],
    bodyPrefix: body === undefined ? '' : JSON.stringify(body),
    bodyComplete: true,
    observedAtMs: outer.observedAtMs,
  };
}

function innerHeaders(element: unknown, fields: BatchFields, all: boolean): HeaderLine[] {
  const lines = valuesAt(element, fields.headers).flatMap(headerLinesOf);
  return all ? lines : lines.filter(([name]) => name.toLowerCase() === 'retry-after');
}
