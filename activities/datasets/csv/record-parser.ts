// Fields of one CSV record whose bounds the splitter has already checked.
import { DatasetError } from '../dataset-error';

export interface FieldOptions {
  delimiter: string;
  quotes: 'strict' | 'lenient';
  nullUnquotedEmpty: boolean;
  nul: 'error' | 'strip';
}

export type Cell = string | null;

/** Cells as text, bytes inside quotes unchanged. Throws row errors E_CSV_QUOTE and E_NUL with line and field. */
export function parseRecord(text: string, line: number, options: FieldOptions): Cell[] {
  const cells: Cell[] = [];
  let at = 0;
  for (;;) {
    const quoted = text[at] === '"';
    const end = quoted ? closingQuote(text, at) + 1 : endOfUnquoted(text, at, options.delimiter);
    const raw = quoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end);
    const field = cells.length + 1;
    if (!quoted && options.quotes === 'strict' && raw.includes('"')) {
      const message = `quote inside the unquoted field ${field} at line ${line}; double and quote it, or set quotes: 'lenient'`;
      throw new DatasetError('E_CSV_QUOTE', 'row', message, { line, field });
    }
    if (options.nul === 'error' && raw.includes('\0')) {
      const message = `field ${field} of the record at line ${line} holds a NUL character; the encoding may be wrong, or set nul: 'strip'`;
      throw new DatasetError('E_NUL', 'row', message, { line, field });
    }
    const cell = options.nul === 'strip' ? raw.replaceAll('\0', '') : raw;
    cells.push(cell === '' && !quoted && options.nullUnquotedEmpty ? null : cell);
    if (end >= text.length) return cells;
    at = end + 1;
  }
}

function endOfUnquoted(text: string, at: number, delimiter: string): number {
  const end = text.indexOf(delimiter, at);
  return end < 0 ? text.length : end;
}

function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
