// Cells of a row in the order of the columns; nothing of a row is dropped in silence.
import type { Json } from '../../contracts/outcomes';
import { OutputError, type TableRow } from './sink';

/** One cell a column, undefined where the row has none. A property that is no column goes to `extraColumn`, else it is E_OUTPUT_COLUMN_UNKNOWN. */
export function fitColumns(row: TableRow, columns: readonly string[], extraColumn?: string): (Json | undefined)[] {
  const extra = Object.keys(row).filter((name) => !columns.includes(name));
  if (extra.length > 0 && extraColumn === undefined) {
    const message = `result has a property ${JSON.stringify(extra[0])} that is not an output column; name it in the columns or set extraColumn`;
    throw new OutputError('E_OUTPUT_COLUMN_UNKNOWN', 'row', message);
  }
  return columns.map((column) => {
    if (Object.hasOwn(row, column)) return row[column];
    return column === extraColumn && extra.length > 0 ? collect(row, extra) : undefined;
  });
}

function collect(row: TableRow, names: readonly string[]): Json {
  const collected: TableRow = Object.create(null);
  for (const name of names) collected[name] = row[name]!;
  return collected;
}
