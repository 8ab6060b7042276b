// Values as COPY takes them in its text form, which has no line that ends the data early.
import type { Json } from '../../../contracts/outcomes';

export interface CopyText {
  text: string;
  /** Characters that PostgreSQL cannot hold and that became U+FFFD. */
  sanitized: number;
}

const NULL = '\\N';
const ESCAPES: { [character: string]: string } = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (text: string): string => text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character]!);

/** A replacer of characters that counts them: no text of PostgreSQL holds NUL or half a surrogate pair. */
function cleaner() {
  let sanitized = 0;
  const clean = (text: string) =>
    // With the u flag a proper pair is one character, so this finds unpaired halves only.
    text.replace(/\0|\p{Surrogate}/gu, () => {
      sanitized += 1;
      return '\ufffd';
    });
  function cleanTree(value: Json): Json {
    if (typeof value === 'string') return clean(value);
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(cleanTree);
    const members: { [name: string]: Json } = Object.create(null);
    for (const [name, member] of Object.entries(value)) members[clean(name)] = cleanTree(member);
    return members;
  }
  return { cleanTree, count: () => sanitized };
}

/**
 * One field. In a column of JSON a value is its JSON text, and null is JSON's; in any other one text is itself, null is NULL, lists and
 * objects are JSON text. undefined is NULL in both.
 */
export function copyField(value: Json | undefined, isJson: boolean): CopyText {
  if (value === undefined || (value === null && !isJson)) return { text: NULL, sanitized: 0 };
  const { cleanTree, count } = cleaner();
  const clean = cleanTree(value);
  const text = typeof clean === 'string' && !isJson ? clean : JSON.stringify(clean);
  return { text: escaped(text), sanitized: count() };
}
