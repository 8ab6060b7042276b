// Column names: trimmed, none empty, none twice.
import { DatasetError } from '../dataset-error';

export interface HeaderNames {
  columns: string[];
  warnings: string[];
}

/** Names by 1-based position where there is no header. */
export const positionalNames = (width: number): string[] =>
  Array.from({ length: width }, (_, at) => `column_${at + 1}`);

/** Trims names (cells never are), names empty ones, refuses or numbers repeated ones. `line`: of the header, 0 for a given list. */
export function headerNames(cells: readonly string[], duplicates: 'error' | 'suffix', line: number): HeaderNames {
  const trimmed = cells.map((cell) => cell.trim());
  const warnings = trimmed.flatMap((name, at) =>
    name === '' ? [`W_HEADER_EMPTY: column ${at + 1} has no name; it is called column_${at + 1}`] : [],
  );
  const named = trimmed.map((name, at) => name || `column_${at + 1}`);
  const columns = duplicates === 'suffix' ? numberRepeated(named) : refuseRepeated(named, line);
  return { columns, warnings: warnings.slice(0, 1).map((first) => first + andMore(warnings.length - 1)) };
}

const andMore = (count: number): string => (count > 0 ? `, and ${count} more like it` : '');

function refuseRepeated(names: string[], line: number): string[] {
  const seen = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    const first = seen.get(name);
    if (first !== undefined) {
      const message = `header name ${JSON.stringify(name)} is used for columns ${first + 1} and ${at + 1}; rename one, or set duplicateHeaders: 'suffix'`;
      throw new DatasetError('E_HEADER_DUPLICATE', 'file', message, { line });
    }
    seen.set(name, at);
  }
  return names;
}

/** a, a, a_2 becomes a, a_3, a_2: a number is taken only when no column has that name already. */
function numberRepeated(names: string[]): string[] {
  const taken = new Set(names);
  const used = new Set<string>();
  return names.map((name) => {
    let unique = name;
    if (used.has(name)) {
      for (let number = 2; taken.has(unique); number++) unique = `${name}_${number}`;
    }
    taken.add(unique);
    used.add(unique);
    return unique;
  });
}
