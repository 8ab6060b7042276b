// A spec's text to a value, YAML or JSON, with line and column for what is wrong in the text or in the value.
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { Problem } from '../contracts/failures';

export interface SpecText {
  value: unknown;
  /** `file:line:column` of a value path such as `columns[2].tool`, or of the nearest part that is there. */
  placeOf(path: string): string;
}

/**
 * Reads `text`; a name that ends in `.json` must be JSON, everything else is YAML 1.2 (which JSON is too).
 * On failure: one problem for each syntax error, its path being `file:line:column`.
 */
export function parseSpecText(
  text: string,
  file: string,
): { ok: true; spec: SpecText } | { ok: false; problems: Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };

  if (document.errors.length > 0) {
    return {
      ok: false,
      problems: document.errors.map((error) => ({ path: place(error.pos[0]), message: error.message })),
    };
  }
  const strict = file.toLowerCase().endsWith('.json') ? jsonProblem(text, place) : null;
  if (strict) return { ok: false, problems: [strict] };

  const placeOf = (path: string): string => {
    const segments = pathSegments(path);
    for (let depth = segments.length; depth > 0; depth--) {
      const node = document.getIn(segments.slice(0, depth), true);
      if (isNode(node) && node.range) return place(node.range[0]);
    }
    return place(document.contents?.range?.[0] ?? 0);
  };
  try {
    return { ok: true, spec: { value: document.toJS(), placeOf } };
  } catch (error) {
    // Aliases that multiply without end are found only here.
    return { ok: false, problems: [{ path: place(0), message: (error as Error).message }] };
  }
}

/** `columns[2].tool` as `['columns', 2, 'tool']`; names that are not plain are quoted: `row["first name"]`. */
export function pathSegments(path: string): (string | number)[] {
  const parts = path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g);
  return [...parts].map(([, index, quoted, plain]) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? (plain as string) : (JSON.parse(quoted) as string);
  });
}

/** YAML forgives what JSON does not (comments, trailing commas); V8 gives an offset for some of it only. */
function jsonProblem(text: string, place: (offset: number) => string): Problem | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const { message } = error as Error;
    const offset = Number(/at position (\d+)/.exec(message)?.[1] ?? 0);
    return { path: place(offset), message: `not JSON: ${message}` };
  }
}
