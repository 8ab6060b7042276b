// The body of an answer as classification looks at it: as text, and as the JSON values that may hold an error.

export interface BodyView {
  text: string;
  /** True when the text is JSON. */
  isJson: boolean;
  /** The JSON value, out of a one-element array, and after it the value that `error.message` holds as JSON text (gateways wrap errors so). */
  documents: readonly unknown[];
}

/** Never throws: what cannot be read is simply not there. */
export function viewBody(raw: string): BodyView {
  const text = raw.charCodeAt(0) === 0xfeff ? raw.slice(1) : raw;
  const parsed = tryParse(text);
  if (parsed === undefined) return { text, isJson: false, documents: [] };
  const outer = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed;
  const [message] = valuesAt(outer, 'error.message');
  const inner = typeof message === 'string' && /^\s*[{[]/.test(message) ? tryParse(message) : undefined;
  const unwrapped = Array.isArray(inner) && inner.length === 1 ? inner[0] : inner;
  return { text, isJson: true, documents: unwrapped === undefined ? [outer] : [outer, unwrapped] };
}

/** All values at a path such as `errors[].extensions.code`; own members only. */
export function valuesAt(document: unknown, path: string): unknown[] {
  let values: unknown[] = [document];
  for (const step of path.split('.')) {
    const each = step.endsWith('[]');
    const name = each ? step.slice(0, -2) : step;
    values = values.map((value) => memberOf(value, name)).filter((value) => value !== undefined);
    if (each) values = values.flatMap((value) => (Array.isArray(value) ? value : []));
  }
  return values;
}

/** Strings, numbers and booleans at a path in any document, as text. */
export function textsAt(body: BodyView, path: string): string[] {
  return body.documents
    .flatMap((document) => valuesAt(document, path))
    .filter((value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    .map(String);
}

/** Text of the first XML element of this name, null when there is none. `name` is plain letters. */
export function xmlText(body: BodyView, name: string): string | null {
  const start = body.text.indexOf(`<${name}>`);
  const end = start < 0 ? -1 : body.text.indexOf(`</${name}>`, start);
  return end < 0 ? null : body.text.slice(start + name.length + 2, end).trim();
}

function memberOf(value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
