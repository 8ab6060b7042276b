// The first rows of a CSV table in columns of equal width, cut to the width of the terminal.
import { parse } from 'csv-parse/sync';

const MAX_CELL = 28;

const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, width - 1)}…`);

export interface Preview {
  rows: number;
  /** Names of the columns to show, in this order; those that the table lacks are left out. */
  columns: readonly string[];
  /** Characters of a line. */
  width: number;
}

/** Header, a rule, and at most `rows` rows. */
export function previewTable(csv: string, { rows, columns, width }: Preview): string {
  const [names = [], ...records] = parse(csv, { to: rows + 1 }) as string[][];
  const shown = columns.map((column) => names.indexOf(column)).filter((at) => at >= 0);
  const table = [names, ...records].map((record) =>
    shown.map((at) => cut((record[at] ?? '').replace(/\s+/g, ' '), MAX_CELL)),
  );
  const widths = shown.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: string[]) =>
    cut(cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '), width).trimEnd();
  const [header = [], ...body] = table;
  return [line(header), line(widths.map((size) => '-'.repeat(size))), ...body.map(line)].join('\n');
}
