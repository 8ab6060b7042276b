// What is wrong between a spec and the columns of its dataset: names that collide, and names that nothing has.

import { memberReferences } from '../contracts/expression-text';
import type { Problem } from '../contracts/failures';
import { WARNING_EXAMPLES } from '../contracts/limits';
import type { Json } from '../contracts/outcomes';
import type { MapSpec } from '../contracts/schemas/map-spec';
import { formatPath } from '../contracts/schemas/read-by';
import { readTemplate } from '../contracts/schemas/template-rules';
import { didYouMean } from '../contracts/suggest';
import { resultColumns } from './plan-map';
import { checkColumns } from './sinks/table-columns';

export interface TableFindings {
  /** Refuse the map. */
  problems: Problem[];
  /** `W_CODE: text` lines. */
  warnings: string[];
}

/** `sourceColumns`: the header, or all names that the rows had. */
export function tableFindings(spec: MapSpec, sourceColumns: readonly string[]): TableFindings {
  const unknown = unknownColumns(spec, sourceColumns);
  const problems = [...collisions(spec, sourceColumns), ...(hasHeader(spec) ? unknown : [])];
  const warnings = hasHeader(spec)
    ? []
    : unknown.map(({ path, message }) => `W_COLUMN_UNKNOWN: ${path}: ${message}; it is empty in every row`);
  return { problems, warnings };
}

/** A source with a header fixes its columns; in any other a column may be absent from all rows and still be meant. */
const hasHeader = ({ dataset }: MapSpec): boolean => dataset.csv !== undefined || dataset.postgres !== undefined;

function collisions(spec: MapSpec, sourceColumns: readonly string[]): Problem[] {
  const results = resultColumns(spec);
  const problems = checkColumns(sourceColumns, results ?? []);
  if (results === null) return problems;
  const known = [...sourceColumns, ...results];
  const unknown = (spec.output.columns ?? []).filter((column) => !known.includes(column));
  return [
    ...problems,
    ...unknown.map((column) => ({
      path: 'output.columns',
      message: `no column ${JSON.stringify(column)}${didYouMean(column, known)}; the table has ${listed(known)}`,
    })),
  ];
}

/** `{{ row.domian }}`: a column that no row has, once for each text. */
function unknownColumns(spec: MapSpec, sourceColumns: readonly string[]): Problem[] {
  const { expressions } = readTemplate((spec.columns ?? []) as Json, ['columns']);
  const found = expressions.flatMap(({ at, expression }) =>
    memberReferences(expression, 'row')
      .filter((name) => !sourceColumns.includes(name))
      .map((name) => ({ path: formatPath(at), message: unknownColumn(name, sourceColumns) })),
  );
  return found.filter((one, at) => found.findIndex((other) => sameProblem(one, other)) === at);
}

/** A wide table has more names than a message can hold. */
const listed = (names: readonly string[]): string =>
  [
    ...names.slice(0, WARNING_EXAMPLES),
    ...(names.length > WARNING_EXAMPLES ? [`and ${names.length - WARNING_EXAMPLES} more`] : []),
  ].join(', ') || 'none';

const sameProblem = (one: Problem, other: Problem) => one.path === other.path && one.message === other.message;

function unknownColumn(name: string, columns: readonly string[]): string {
  const hyphened = columns.find((column) => column.startsWith(`${name}-`));
  const hint = hyphened ? ` (a name with "-" needs backticks: row.\`${hyphened}\`)` : didYouMean(name, columns);
  return `row.${name} is no column of the dataset${hint}; it has ${listed(columns)}`;
}
