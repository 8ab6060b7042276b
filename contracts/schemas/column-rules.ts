// Rules of the columns of a map spec: one kind each, names of their own, and no cell read before it is filled.
import { memberReferences } from '../expression-text';
import { didYouMean } from '../suggest';
import { isObject, type LocatedProblem, type Raw } from './read-by';
import {
  joinReadings,
  type LocatedExpression,
  readCondition,
  readTemplate,
  type TemplateReading,
} from './template-rules';

const KINDS = ['tool', 'value', 'waterfall'] as const;

/** Problems of a list of columns of any form; what the schema refuses already is passed over. */
export function columnRules(columns: readonly unknown[]): LocatedProblem[] {
  const names = columns.map((column) => (isObject(column) && typeof column.name === 'string' ? column.name : null));
  return columns.flatMap((column, index) => {
    if (!isObject(column)) return [];
    const at = ['columns', index];
    const { expressions, problems } = readColumn(column, at);
    return [
      ...kindProblems(column, at),
      ...nameProblems(names, index),
      ...problems,
      ...expressions.flatMap((one) => referenceProblems(one, names, index)),
    ];
  });
}

function kindProblems(column: Raw, at: readonly PropertyKey[]): LocatedProblem[] {
  const kinds = KINDS.filter((kind) => Object.hasOwn(column, kind));
  if (kinds.length !== 1) {
    const given = kinds.length === 0 ? 'none' : kinds.join(' and ');
    return [{ at, message: `expected exactly one of tool, value and waterfall, found ${given}` }];
  }
  if (kinds[0] !== 'tool') {
    const stray = ['input', 'account', 'maxAgeSeconds'].filter((option) => Object.hasOwn(column, option));
    return stray.map((option) => ({
      at: [...at, option],
      message: `${option} belongs to a tool, but the column has ${kinds[0]}`,
    }));
  }
  if (Object.hasOwn(column, 'input')) return [];
  return [{ at: [...at, 'input'], message: 'expected the input of the tool, but it is missing' }];
}

function nameProblems(names: readonly (string | null)[], index: number): LocatedProblem[] {
  const name = names[index];
  const first = names.indexOf(name ?? '');
  if (!name || first === index) return [];
  return [
    { at: ['columns', index, 'name'], message: `the name ${JSON.stringify(name)} is taken by columns[${first}]` },
  ];
}

function readColumn(column: Raw, at: readonly PropertyKey[]): TemplateReading {
  const legs = Array.isArray(column.waterfall) ? column.waterfall : [];
  return joinReadings([
    readCondition(column.runIf, [...at, 'runIf']),
    readTemplate(column.input, [...at, 'input']),
    readTemplate(column.value, [...at, 'value']),
    ...legs.map((leg, number) =>
      readTemplate(isObject(leg) ? leg.input : undefined, [...at, 'waterfall', number, 'input']),
    ),
  ]);
}

function referenceProblems({ at, expression }: LocatedExpression, names: readonly (string | null)[], index: number) {
  const before = names.slice(0, index).filter((name) => name !== null);
  const missing = [...new Set(memberReferences(expression, 'cells'))].filter((name) => !before.includes(name));
  return missing.map((name): LocatedProblem => {
    const position = names.indexOf(name);
    if (position === index)
      return { at, message: `cells.${name} is this very column; only columns before it have a value` };
    if (position > index) return { at, message: `cells.${name} is filled by columns[${position}], which comes later` };
    const hyphened = before.find((candidate) => candidate.startsWith(`${name}-`));
    const hint = hyphened ? ` (a name with "-" needs backticks: cells.\`${hyphened}\`)` : didYouMean(name, before);
    const known =
      before.length === 0 ? 'there is no column before this one' : `columns before this one: ${before.join(', ')}`;
    return { at, message: `cells.${name} is no column${hint}; ${known}` };
  });
}
