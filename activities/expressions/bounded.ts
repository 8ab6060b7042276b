// Which JSONata may run where nothing can interrupt it: what costs at most its own size times that of the data. All else runs apart.
import jsonata from 'jsonata';

/** More nodes than this, and the product of text and data is no small number any more. */
const MAX_NODES = 200;

/** Built-in functions whose work grows with their arguments, and no faster. */
const LINEAR = new Set(
  (
    'exists count sum max min average string number boolean not type uppercase lowercase trim length substring lookup keys ' +
    'append merge spread reverse abs floor ceil round sqrt power now millis base64encode base64decode ' +
    'encodeUrl encodeUrlComponent decodeUrl decodeUrlComponent'
  ).split(' '),
);

/** Linear only while these arguments are literals: two texts of the data would be multiplied. */
const LINEAR_WITH_LITERALS: { readonly [name: string]: readonly number[] } = {
  contains: [1],
  substringBefore: [1],
  substringAfter: [1],
  split: [1],
  join: [1],
  replace: [1, 2],
};

/** Keys of a node that change how much work it is: variables of a path, parents, order. */
const UNBOUNDED_KEYS = ['focus', 'index', 'ancestor', 'tuple'];

interface Node {
  type: string;
  value?: unknown;
  procedure?: Node;
  arguments?: Node[];
  [part: string]: unknown;
}

/** Parts of a node that are evaluated; null when a node of this kind has no bound. */
function partsOf(node: Node): unknown[] | null {
  switch (node.type) {
    case 'string':
    case 'number':
    case 'value':
    case 'name':
      return [];
    case 'variable':
      // Only the context, `$`: a path that starts anew at `$$` inside another multiplies.
      return node.value === '' ? [] : null;
    case 'path':
      return [node.steps];
    case 'filter':
      return [node.expr];
    case 'block':
      return [node.expressions];
    case 'condition':
      return [node.condition, node.then, node.else];
    case 'unary':
      return [node.expression, node.expressions, node.lhs];
    case 'binary':
      return node.value === '..' ? null : [node.lhs, node.rhs];
    case 'function':
      return isLinear(node) ? [node.arguments] : null;
    default:
      return null;
  }
}

function isLinear({ procedure, arguments: given = [] }: Node): boolean {
  if (procedure?.type !== 'variable') return false;
  const name = String(procedure.value);
  const literals = Object.hasOwn(LINEAR_WITH_LITERALS, name) ? LINEAR_WITH_LITERALS[name] : undefined;
  if (literals) return literals.every((at) => given[at] === undefined || given[at].type === 'string');
  return LINEAR.has(name);
}

/** Whether the expression, which must be JSONata, may run in place. */
export function isBounded(expression: string): boolean {
  let nodes = 0;
  const bounded = (part: unknown): boolean => {
    if (part === undefined || part === null) return true;
    if (Array.isArray(part)) return part.every(bounded);
    const node = part as Node;
    nodes += 1;
    if (nodes > MAX_NODES || UNBOUNDED_KEYS.some((key) => node[key] !== undefined)) return false;
    const parts = partsOf(node);
    if (parts === null) return false;
    const group = (node.group as { lhs?: unknown } | undefined)?.lhs;
    return [...parts, node.stages, node.predicate, group].every(bounded);
  };
  return bounded(jsonata(expression).ast());
}
