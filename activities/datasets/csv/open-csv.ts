// Reads the start of a CSV spool: separator line, delimiter, header, row ends, and where the data begin.

import { DatasetError } from '../dataset-error';
import type { Spool } from '../dataset-reader';
import { type RawRecord, readSpool } from '../raw-record';
import type { ResolvedOptions } from '../resolve-options';
import { DELIMITER_CANDIDATES, detectDelimiter, separatorDirective, suspectDelimiter } from './delimiter';
import { headerNames, positionalNames } from './header';
import { type Cell, parseRecord } from './record-parser';
import { CsvSplitter, type SplitterStart } from './splitter';

/** What is fixed before the first row. `blank`: blank lines above the data. */
export interface CsvOpening {
  columns: string[];
  headerLine: number | null;
  delimiter: string;
  data: SplitterStart;
  blank: number;
  warnings: string[];
}

interface FirstRecords {
  separator: string | null;
  first: RawRecord | null;
  /** Place of the first record when it is data, and after it when it is the header. */
  before: SplitterStart;
  after: SplitterStart;
  blank: number;
}

/** Throws E_EMPTY_SOURCE, E_HEADER_DUPLICATE, E_CSV_DELIMITER_AMBIGUOUS, or what is wrong with the first record. */
export async function openCsv(spool: Spool, options: ResolvedOptions, chunkBytes: number): Promise<CsvOpening> {
  const start = await readFirstRecords(spool, options, chunkBytes);
  const { first, separator } = start;
  const headed = options.header === true;
  if (first === null && !options.allowEmpty) {
    const message = headed ? 'the source has no header row' : 'the source has no records';
    throw new DatasetError('E_EMPTY_SOURCE', 'file', `${message}; expected at least one, or set allowEmpty`);
  }
  const text = first?.bytes.toString('utf8') ?? '';
  const delimiter =
    separator ?? (options.delimiter === 'auto' ? detectDelimiter(text, first?.line ?? 1) : options.delimiter);
  const cells = first === null ? [] : parseFirst(text, first.line, { ...options, delimiter });
  const names = columnNames(options, cells, first?.line ?? 0);
  const warnings =
    separator === null ? [] : [`W_SEP_DIRECTIVE: line 1 sets the delimiter to ${JSON.stringify(separator)}`];
  const suspect = headed && names.columns.length === 1 && suspectDelimiter(names.columns[0]!);
  if (suspect) {
    const hint = `if ${JSON.stringify(suspect)} separates its columns set delimiter`;
    warnings.push(`W_DELIMITER_SUSPECT: the header is one name, ${JSON.stringify(names.columns[0])}; ${hint}`);
  }
  const data = headed ? start.after : start.before;
  return {
    columns: names.columns,
    headerLine: headed ? (first?.line ?? null) : null,
    delimiter,
    data,
    blank: start.blank,
    warnings: [...warnings, ...names.warnings],
  };
}

function columnNames(options: ResolvedOptions, cells: readonly Cell[], line: number) {
  if (options.header === false) return { columns: positionalNames(cells.length), warnings: [] };
  const names = options.header === true ? cells.map((cell) => cell ?? '') : options.header;
  return headerNames(names, options.duplicateHeaders, line);
}

/** Nothing can be read under a bad header, so its errors are the file's. A first row only gives its width here: its errors are told when it is read. */
function parseFirst(text: string, line: number, options: ResolvedOptions): Cell[] {
  if (options.header !== true) return parseRecord(text, line, { ...options, quotes: 'lenient', nul: 'strip' });
  try {
    return parseRecord(text, line, options);
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    throw new DatasetError(error.code, 'file', error.message, error.at);
  }
}

async function readFirstRecords(spool: Spool, options: ResolvedOptions, chunkBytes: number): Promise<FirstRecords> {
  const delimiters = options.delimiter === 'auto' ? DELIMITER_CANDIDATES : [options.delimiter];
  const begin: SplitterStart = { byteOffset: 0, line: 1, rowEnds: { style: 'undecided', lf: false, crlf: false } };
  const found: FirstRecords = { separator: null, first: null, before: begin, after: begin, blank: 0 };
  let splitter = new CsvSplitter({ ...options, delimiters }, begin);
  for await (const record of splitAll(splitter, spool, 0, chunkBytes)) {
    const directive =
      options.sepDirective && record.line === 1 ? separatorDirective(record.bytes.toString('utf8')) : null;
    if (directive !== null) {
      found.separator = directive;
      found.before = splitter.position();
      break;
    }
    if (takeFirst(found, record, splitter)) return found;
  }
  if (found.separator === null) return found;
  splitter = new CsvSplitter({ ...options, delimiters: [found.separator] }, found.before);
  for await (const record of splitAll(splitter, spool, found.before.byteOffset, chunkBytes)) {
    if (takeFirst(found, record, splitter)) break;
  }
  return found;
}

/** Skips blank lines; true when the first record is found. */
function takeFirst(found: FirstRecords, record: RawRecord, splitter: CsvSplitter): boolean {
  const after = structuredClone(splitter.position());
  if (record.bytes.length > 0) {
    found.first = record;
    found.before = { byteOffset: record.byteOffset, line: record.line, rowEnds: after.rowEnds };
    found.after = after;
    return true;
  }
  found.blank++;
  return false;
}

/** All records of the spool from a place on. */
export async function* splitAll(
  splitter: CsvSplitter,
  spool: Spool,
  byteOffset: number,
  chunkBytes: number,
): AsyncGenerator<RawRecord> {
  for await (const chunk of readSpool(spool, byteOffset, chunkBytes)) yield* splitter.push(chunk);
  yield* splitter.end();
}
