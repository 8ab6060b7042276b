// Where the results of a map go: the tables that the spec names, and the failures and summary files beside the first one.
import { isAbsolute, join, parse, relative, resolve } from 'node:path';
import type { OutputPaths } from '../contracts/results';
import type { MapSpec } from '../contracts/schemas/map-spec';
import { OutputError } from './sinks/sink';

export interface PlannedTable {
  format: 'csv' | 'jsonl';
  path: string;
}

/** Absolute path; a relative one starts at the data root and may not leave it. */
function placed(path: string, dataRoot: string): string {
  const absolute = resolve(dataRoot, path);
  const inside = relative(dataRoot, absolute);
  if (!isAbsolute(path) && (inside.startsWith('..') || isAbsolute(inside))) {
    throw new OutputError(
      'OUTPUT_UNWRITABLE',
      'file',
      `${path} leaves the data root ${dataRoot}; expected a path inside it or an absolute one`,
    );
  }
  return absolute;
}

export function plannedTables({ output }: MapSpec, dataRoot: string): PlannedTable[] {
  const formats = ['csv', 'jsonl'] as const;
  return formats.flatMap((format) => {
    const path = output[format];
    return path === undefined ? [] : [{ format, path: placed(path, dataRoot) }];
  });
}

/** `out/firms.csv` gives `out/firms.failures.jsonl` and `out/firms.summary.json`. */
export function outputPaths(tables: readonly PlannedTable[]): OutputPaths {
  const paths = tables.map(({ path }) => path);
  const { dir, name } = parse(paths[0] as string);
  return { table: paths, failures: join(dir, `${name}.failures.jsonl`), summary: join(dir, `${name}.summary.json`) };
}

export const allPaths = ({ table, failures, summary }: OutputPaths): string[] => [...table, failures, summary];
