// Splits JSONata text into tokens without parsing it: enough to find where an expression ends and which cells and columns it names.

export type TokenKind =
  | 'space'
  | 'text'
  | 'quotedName'
  | 'name'
  | 'variable'
  | 'number'
  | 'regex'
  | 'symbol'
  | 'unclosed';

export interface Token {
  kind: TokenKind;
  text: string;
  start: number;
  /** The token could end a value, so that `/` after it divides and `[` after it filters. */
  endsValue: boolean;
}

const PATTERNS: [TokenKind, RegExp][] = [
  ['space', /(?:\s+|\/\*[\s\S]*?\*\/)/y],
  ['text', /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y],
  ['quotedName', /`[^`]*`/y],
  ['unclosed', /["'`][\s\S]*|\/\*[\s\S]*/y],
  ['number', /\d+(?:\.\d+)?(?:[Ee][-+]?\d+)?/y],
  ['variable', /\$[^\s.[\]{}()@,;:#?+\-*/%|=<>^&!~'"`$]*\$?/y],
  ['name', /[^\s.[\]{}()@,;:#?+\-*/%|=<>^&!~'"`$\d][^\s.[\]{}()@,;:#?+\-*/%|=<>^&!~'"`$]*/y],
  ['symbol', /[\s\S]/y],
];

/** End (exclusive) of a regular expression that opens at `start`, by JSONata's own rule: a bare slash outside brackets; -1 = none. */
function regexEnd(source: string, start: number): number {
  let depth = 0;
  for (let position = start + 1; position < source.length; position++) {
    const character = source[position]!;
    if (character === '\\') position++;
    else if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
    else if (character === '/' && depth === 0) return position + 1;
  }
  return -1;
}

/** Tokens of `source` from a position on, spaces and comments included, one at a time. */
export function* tokens(source: string, from = 0): Generator<Token> {
  let position = from;
  let afterValue = false;
  while (position < source.length) {
    const closing =
      source[position] === '/' && source[position + 1] !== '*' && !afterValue ? regexEnd(source, position) : -1;
    let kind: TokenKind = 'regex';
    let end = closing;
    if (closing < 0) {
      for (const [candidate, pattern] of PATTERNS) {
        pattern.lastIndex = position;
        if (!pattern.test(source)) continue;
        kind = candidate;
        end = pattern.lastIndex;
        break;
      }
    }
    const text = source.slice(position, end);
    const endsValue: boolean =
      kind === 'space' ? afterValue : kind === 'symbol' ? ')]}'.includes(text) : !isOperator(kind, text);
    yield { kind, text, start: position, endsValue };
    afterValue = endsValue;
    position = end;
  }
}

const isOperator = (kind: TokenKind, text: string) => kind === 'name' && ['and', 'or', 'in'].includes(text);

/** Where the expression that begins at `from` ends: the position of its closing `}}`; -1 when there is none. */
export function expressionEnd(source: string, from: number): number {
  let depth = 0;
  for (const { kind, text, start } of tokens(source, from)) {
    if (kind !== 'symbol') continue;
    if (text === '{') depth++;
    if (text !== '}') continue;
    if (depth > 0) depth--;
    else if (source[start + 1] === '}') return start;
  }
  return -1;
}

/**
 * Names in `<root>.<name>`, such as `cells.firm`, that an expression reads from its top level. Places where the root may mean something
 * else are left out: after a dot, in a filter, and in what follows a dot in brackets; `$$.cells` counts everywhere.
 */
export function memberReferences(expression: string, root: 'cells' | 'row'): string[] {
  const list = [...tokens(expression)].filter(({ kind }) => kind !== 'space');
  const names: string[] = [];
  const openings: boolean[] = [];
  for (const [index, token] of list.entries()) {
    const before = list[index - 1];
    if (token.kind === 'symbol' && '([{'.includes(token.text)) {
      const called = token.text === '(' && before !== undefined && before.text !== '.';
      openings.push(before !== undefined && !called && (before.text === '.' || before.endsValue));
    }
    if (token.kind === 'symbol' && ')]}'.includes(token.text)) openings.pop();
    if (token.text !== root || list[index + 1]?.text !== '.') continue;
    const fromRoot = before?.text === '.' && list[index - 2]?.text === '$$';
    if (!fromRoot && (before?.text === '.' || openings.includes(true))) continue;
    const name = list[index + 2];
    if (name?.kind === 'name') names.push(name.text);
    if (name?.kind === 'quotedName') names.push(name.text.slice(1, -1));
  }
  return names;
}
