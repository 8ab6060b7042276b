// Text of CSV lines: CRLF, quoted only where a reader needs it, or wherever a spreadsheet could take a cell for a formula.
import type { Json } from '../../contracts/outcomes';

/** Cells that hold a separator or quote, have outer white space, end a COPY (`\.`) or look like a separator line. */
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$|^\\\.$|^sep=/i;
const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

export interface CsvLine {
  text: string;
  /** Cells in which a character that CSV cannot hold became U+FFFD. */
  sanitized: number;
}

/** One line with its row end. null is empty, "" is `""`; in a one-column file both are `""`, since an empty line would vanish. */
export function csvLine(cells: readonly Json[], formulaSafe: boolean): CsvLine {
  let sanitized = 0;
  const texts = cells.map((cell) => {
    if (cell === null) return cells.length === 1 ? '""' : '';
    if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
    const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
    const clean = text.replaceAll('\0', '\ufffd');
    if (clean !== text) sanitized++;
    return textCell(clean, formulaSafe);
  });
  return { text: `${texts.join(',')}\r\n`, sanitized };
}

function textCell(text: string, formulaSafe: boolean): string {
  const safe = formulaSafe && FORMULA_START.test(text) ? `'${text}` : text;
  // Formula-safe quotes all text: a locale's own separator could otherwise open a new cell.
  const quoted = formulaSafe || safe === '' || NEEDS_QUOTES.test(safe);
  return quoted ? `"${safe.replaceAll('"', '""')}"` : safe;
}
