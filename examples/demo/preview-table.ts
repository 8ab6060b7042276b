// The first rows of a CSV table in columns of equal width, cut to the width of the terminal.
import { parse } from 'csv-parse/sync';

const MAX_CELL = 28;

const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, width - 1)}…`);

/** Header, a rule, and at most `rows` rows. */
export function previewTable(csv: string, rows: number, width: number): string {
  const records = parse(csv, { to: rows + 1 }) as string[][];
  const widths = (records[0] ?? []).map((_, column) =>
    Math.min(MAX_CELL, Math.max(...records.map((record) => (record[column] ?? '').length))),
  );
  const line = (record: string[]) =>
    cut(
      record
        .map((cell, column) => cut(cell.replace(/\s+/g, ' '), widths[column] ?? 0).padEnd(widths[column] ?? 0))
        .join('  '),
      width,
    ).trimEnd();
  const [header = [], ...body] = records;
  return [line(header), cut(widths.map((size) => '-'.repeat(size)).join('  '), width), ...body.map(line)].join('\n');
}
