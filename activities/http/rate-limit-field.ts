// Parses the RateLimit header field of draft-ietf-httpapi-ratelimit-headers: a structured list, or the dictionary of older drafts.

/** `resetSeconds` stays text: its magnitude is judged like that of any other time value. */
export interface RateLimitItem {
  left: number | null;
  resetSeconds: string | null;
}

const NAME = /^(?:"(?:[^"\\]|\\["\\])*"|[A-Za-z*][A-Za-z0-9:/_.*-]*)/;
const PARAMETER =
  /^;[ ]*([a-z*][a-z0-9_.*-]*)(?:=(?:(-?[0-9]{1,15}(?:\.[0-9]{1,3})?)|"(?:[^"\\]|\\["\\])*"|:[A-Za-z0-9+/=]*:|\?[01]|[A-Za-z*][A-Za-z0-9:/_.*-]*))?/;
const DICTIONARY_MEMBER = /^(limit|remaining|reset)=([0-9]{1,15})(?:;.*)?$/;
const INTEGER = /^[0-9]+$/;

/** The items of the field, all lines joined. A field that is malformed anywhere is empty: it must be ignored, not half-read. */
export function parseRateLimitField(text: string): RateLimitItem[] {
  const members = splitMembers(text);
  return parseDictionary(members) ?? parseList(members) ?? [];
}

function parseList(members: readonly string[]): RateLimitItem[] | null {
  const items = members.map(parseItem);
  return items.every((item) => item !== null) ? items : null;
}

function parseItem(member: string): RateLimitItem | null {
  const name = NAME.exec(member)?.[0];
  if (name === undefined) return null;
  const item: RateLimitItem = { left: null, resetSeconds: null };
  let rest = member.slice(name.length);
  while (rest !== '') {
    const parameter = PARAMETER.exec(rest);
    if (!parameter) return null;
    const [whole, key, number] = parameter;
    rest = rest.slice(whole.length);
    if (key !== 'r' && key !== 't') continue;
    if (number === undefined || !INTEGER.test(number)) return null;
    if (key === 'r') item.left = Number(number);
    else item.resetSeconds = number;
  }
  return item;
}

function parseDictionary(members: readonly string[]): RateLimitItem[] | null {
  const parsed = members.map((member) => DICTIONARY_MEMBER.exec(member));
  if (parsed.length === 0 || parsed.some((member) => member === null)) return null;
  const values = new Map(parsed.map((member) => [member?.[1], member?.[2]]));
  const left = values.get('remaining');
  return [{ left: left === undefined ? null : Number(left), resetSeconds: values.get('reset') ?? null }];
}

/** Cuts at commas outside quotes. */
function splitMembers(text: string): string[] {
  const members: string[] = [];
  let [start, quoted] = [0, false];
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\' && quoted) index++;
    else if (text[index] === '"') quoted = !quoted;
    else if (text[index] === ',' && !quoted) {
      members.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...members, text.slice(start)].map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''));
}
