// Rules of a map spec that no schema can say. They take any value, so that a wrong type in one place hides nothing elsewhere.
import { columnRules } from './column-rules';
import { datasetRules } from './dataset-spec';
import { isObject, type LocatedProblem, type Raw } from './read-by';

/** Problems of a raw spec beyond its schema; none for a value that is no object at all. */
export function mapSpecRules(raw: unknown): LocatedProblem[] {
  if (!isObject(raw)) return [];
  return [
    ...programRules(raw),
    ...(isObject(raw.dataset) ? datasetRules(raw.dataset) : []),
    ...(Array.isArray(raw.columns) ? columnRules(raw.columns) : []),
    ...(isObject(raw.output) ? outputRules(raw.output) : []),
    ...(isObject(raw.force) ? forceRules(raw.force, raw) : []),
  ];
}

function programRules(raw: Raw): LocatedProblem[] {
  const problems: LocatedProblem[] = [];
  const kinds = ['columns', 'map'].filter((kind) => Object.hasOwn(raw, kind));
  if (kinds.length !== 1) {
    const given = kinds.length === 0 ? 'none' : 'both';
    problems.push({ at: [], message: `expected exactly one of columns and map, found ${given}` });
  }
  if (Object.hasOwn(raw, 'tools') && !Object.hasOwn(raw, 'map')) {
    problems.push({ at: ['tools'], message: 'tools belongs to a TypeScript map; columns name their tools themselves' });
  }
  for (const cap of ['maxCalls', 'maxCost']) {
    if (!Object.hasOwn(raw, 'map') || !isObject(raw.limits) || !Object.hasOwn(raw.limits, cap)) continue;
    const message = `${cap} needs columns: a TypeScript map decides on its calls when it runs, so nothing can be reserved for them`;
    problems.push({ at: ['limits', cap], message });
  }
  return [...problems, ...repeats(raw.tools, ['tools'])];
}

/** A name that means nothing would force nothing, unnoticed. */
function forceRules(force: Raw, { columns, dataset }: Raw): LocatedProblem[] {
  const problems: LocatedProblem[] = [];
  if (Object.keys(force).length === 0) {
    problems.push({ at: ['force'], message: 'expected columns, rows, tools or several of them, found none' });
  }
  const known = (Array.isArray(columns) ? columns : []).map((column) => (isObject(column) ? column.name : null));
  for (const [index, column] of (Array.isArray(force.columns) ? force.columns : []).entries()) {
    if (!Array.isArray(columns) || known.includes(column)) continue;
    const message = `${JSON.stringify(column)} is no column of this map; expected one of ${known.join(', ')}`;
    problems.push({ at: ['force', 'columns', index], message });
  }
  const key = isObject(dataset) ? (isObject(dataset.postgres) ? dataset.postgres.key : dataset.key) : undefined;
  if (force.rows !== undefined && (key === undefined || (Array.isArray(key) && key.length !== 1))) {
    problems.push({
      at: ['force', 'rows'],
      message: 'rows are named by their key, which needs a dataset with one key column',
    });
  }
  return problems;
}

function outputRules(output: Raw): LocatedProblem[] {
  const problems: LocatedProblem[] = [];
  if (output.csv === undefined && output.jsonl === undefined && output.postgres === undefined) {
    problems.push({ at: ['output'], message: 'expected csv, jsonl, postgres or several of them, found none' });
  }
  if (typeof output.csv === 'string' && output.csv === output.jsonl) {
    problems.push({
      at: ['output', 'jsonl'],
      message: `${JSON.stringify(output.jsonl)} is the path of the CSV table already`,
    });
  }
  for (const option of ['formulaSafe', 'excel']) {
    if (!Object.hasOwn(output, option) || output.csv !== undefined) continue;
    problems.push({ at: ['output', option], message: `${option} is an option of a CSV table, but csv is missing` });
  }
  return [...problems, ...repeats(output.columns, ['output', 'columns'])];
}

/** A name that stands in a list for the second time. */
function repeats(list: unknown, at: readonly PropertyKey[]): LocatedProblem[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item, index) =>
    list.indexOf(item) < index
      ? [{ at: [...at, index], message: `${JSON.stringify(item)} stands in the list already` }]
      : [],
  );
}
