// An answer as the expressions of a provider file see it.
import type { Json } from '../contracts/outcomes';
import { parseExactJson } from './http/exact-json';
import type { Answered } from './http/raw-answer';
import { redactJson } from './redact-json';
import type { ToolAnswer } from './tools/tool';

/** Header lines as a tool's expressions see them: names in lower case, lines of one name joined. */
function headersOf(raw: Answered): { [name: string]: string } {
  const headers: { [name: string]: string } = Object.create(null);
  for (const [line, value] of raw.rawHeaders) {
    const name = line.toLowerCase();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

/** Without the secret already: what reads it may show a part of it, and half a secret is not recognised afterwards. */
export function toolAnswer(raw: Answered, input: Json, secret: string | null): ToolAnswer {
  const text = raw.body.toString('utf8');
  let body: Json = text;
  try {
    body = parseExactJson(text);
  } catch {
    // Not JSON: expressions see the text.
  }
  return {
    status: raw.status,
    headers: headersOf(raw),
    body: secret === null ? body : redactJson(body, secret),
    input,
  };
}
