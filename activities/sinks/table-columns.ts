// Columns of a table: those of the source, those of the results, `_status` and `_error`. None may be there twice.
import type { Problem } from '../../contracts/failures';

export const STATUS_COLUMNS = ['_status', '_error'] as const;

/** All columns in order; `prefix` goes before the names of results. */
export const tableColumns = (source: readonly string[], results: readonly string[], prefix = ''): string[] => [
  ...source,
  ...results.map((name) => prefix + name),
  ...STATUS_COLUMNS,
];

/** Names that two columns would share, each with a name that is free. Empty = all is well. */
export function checkColumns(source: readonly string[], results: readonly string[], prefix = ''): Problem[] {
  const taken = new Set(tableColumns(source, results, prefix));
  const reserved: readonly string[] = STATUS_COLUMNS;
  const fromSource = source
    .filter((name) => reserved.includes(name))
    .map((name) => ({
      path: 'dataset',
      message: `the source has a column ${JSON.stringify(name)}, which every table gets; rename it in the source, for instance ${JSON.stringify(freeName(`source${name}`, taken))}`,
    }));
  const fromResults = results.flatMap((result, at) => {
    const name = prefix + result;
    const rival = reserved.includes(name)
      ? 'every table gets'
      : source.includes(name)
        ? 'the source has too'
        : results.indexOf(result) < at
          ? 'is there already'
          : null;
    if (rival === null) return [];
    const message = `result column ${JSON.stringify(name)}, which ${rival}; call it for instance ${JSON.stringify(freeName(`${name}_result`, taken))}`;
    return [{ path: `columns[${at}].name`, message }];
  });
  return [...fromSource, ...fromResults];
}

/** The name, or the first of `name_2`, `name_3`, … that is free. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  return name;
}
