// From the text in which PostgreSQL sends a value to its JSON text, without a detour over values that JavaScript would round or shift.
import { parse as parseArray } from 'postgres-array';

/** JSON text of one column's value that is not null. */
export type ToJson = (text: string) => string;

/** Object identifiers of types; they are the same in every database. */
const BOOL = 16;
const BYTEA = 17;
const SMALL_NUMBERS = [21, 23, 26];
const JSON_TYPES = [114, 3802];
const FLOATS = [700, 701];
const TIMESTAMPS = [1114, 1184];

/** `2024-03-10 02:30:00.123456+00`; other forms, such as infinity or years before Christ, stay as they are. */
const TIMESTAMP = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(\+00)?$/;

const isoText: ToJson = (text) => {
  const found = TIMESTAMP.exec(text);
  return JSON.stringify(found ? `${found[1]}T${found[2]}${found[3] ? 'Z' : ''}` : text);
};

/** NaN and infinities are no JSON numbers: they keep their names. */
const floatText: ToJson = (text) => (/^-?\d/.test(text) ? text : JSON.stringify(text));

/** Row ends between the tokens of a json value would end its line; inside its strings there are none. */
const oneLine: ToJson = (text) => text.replace(/[\r\n]/g, ' ');

/** int8, numeric, date, uuid, enums and everything else are their text: exact, and with the scale that was stored. */
export function scalarJson(type: number): ToJson {
  if (type === BOOL) return (text) => (text === 't' ? 'true' : 'false');
  if (type === BYTEA) return (text) => JSON.stringify(Buffer.from(text.slice(2), 'hex').toString('base64'));
  if (SMALL_NUMBERS.includes(type)) return (text) => text;
  if (JSON_TYPES.includes(type)) return oneLine;
  if (FLOATS.includes(type)) return floatText;
  if (TIMESTAMPS.includes(type)) return isoText;
  return (text) => JSON.stringify(text);
}

/** Lists of the element's form, nested as the array is; NULL is null. */
export function arrayJson(element: ToJson): ToJson {
  const listText = (list: unknown): string =>
    Array.isArray(list) ? `[${list.map(listText).join(',')}]` : ((list as string | null) ?? 'null');
  return (text) => listText(parseArray(text, element));
}
