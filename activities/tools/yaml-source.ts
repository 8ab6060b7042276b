// A YAML or JSON text as a plain value that still knows on which line each part stands.
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml';

/** A piece of YAML syntax that cannot be read; lines count from 1. */
export interface SyntaxProblem {
  line: number;
  message: string;
}

export type YamlReading =
  | { ok: true; raw: unknown; lineOf(at: readonly PropertyKey[]): number }
  | { ok: false; problems: SyntaxProblem[] };

/** Reads YAML 1.2 (JSON is a part of it). Names that stand twice in one object and names that are no text are problems. */
export function readYaml(text: string): YamlReading {
  const lineCounter = new LineCounter();
  const lineAt = (offset: number) => Math.max(1, lineCounter.linePos(offset).line);
  const document = parseDocument(text, { lineCounter, stringKeys: true, prettyErrors: false });
  if (document.errors.length > 0) {
    return { ok: false, problems: document.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), message })) };
  }
  let raw: unknown;
  try {
    raw = document.toJS();
  } catch (error) {
    // Aliases that multiply without end are found only here.
    return { ok: false, problems: [{ line: 1, message: (error as Error).message }] };
  }
  const lineOf = (at: readonly PropertyKey[]) => {
    let node: unknown = document.contents;
    let offset = (document.contents?.range ?? [0])[0];
    for (const part of at) {
      if (isAlias(node)) node = node.resolve(document);
      const next = memberOf(node, part);
      if (next === null) break;
      offset = next.offset ?? offset;
      node = next.node;
    }
    return lineAt(offset);
  };
  return { ok: true, raw, lineOf };
}

/** A member of a list or an object and where it begins: an object's member at its name. */
function memberOf(node: unknown, part: PropertyKey): { node: unknown; offset: number | undefined } | null {
  if (isSeq(node)) {
    const item = node.items[Number(part)] as Node | undefined;
    return item === undefined ? null : { node: item, offset: item.range?.[0] };
  }
  if (!isMap(node)) return null;
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === String(part)) as
    | Pair<Node, Node>
    | undefined;
  return pair === undefined ? null : { node: pair.value, offset: pair.key.range?.[0] };
}
