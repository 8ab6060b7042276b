// Dataset reader for CSV: the header once, then rows as text.
import { WARNING_EXAMPLES } from '../../../contracts/limits';
import { sha256Hex } from '../../store/json-lines';
import { DatasetError } from '../dataset-error';
import type { DatasetReader, RecordCursor, RecordStream, RowValues, SourceRecord, Spool } from '../dataset-reader';
import { checkCursor, type RawRecord } from '../raw-record';
import type { ResolvedOptions } from '../resolve-options';
import { type CsvOpening, openCsv, splitAll } from './open-csv';
import { type Cell, parseRecord } from './record-parser';
import { CsvSplitter } from './splitter';

/** Opens a spool as CSV. Throws DatasetError of scope `file` when there is no usable header. */
export async function openCsvReader(
  spool: Spool,
  options: ResolvedOptions,
  chunkBytes: number,
): Promise<DatasetReader> {
  const opening = await openCsv(spool, options, chunkBytes);
  const headerDigest = sha256Hex(JSON.stringify(opening.columns));
  return {
    header: opening.columns,
    headerLine: opening.headerLine,
    read(from?: RecordCursor): RecordStream {
      if (from) checkCursor(from, spool, headerDigest, opening.columns);
      return readRows({ spool, options, chunkBytes, opening, headerDigest }, from);
    },
  };
}

interface Reading {
  spool: Spool;
  options: ResolvedOptions;
  chunkBytes: number;
  opening: CsvOpening;
  headerDigest: string;
}

function readRows({ spool, options, chunkBytes, opening, headerDigest }: Reading, from?: RecordCursor): RecordStream {
  const { columns, delimiter, data } = opening;
  const splitter = new CsvSplitter({ ...options, delimiters: [delimiter] }, { ...data, ...from });
  const fields = { ...options, delimiter };
  let blank = from ? 0 : opening.blank;
  let ordinal = from?.ordinal ?? 0;
  let stripped = 0;

  async function* records(): AsyncGenerator<SourceRecord> {
    for await (const raw of splitAll(splitter, spool, from?.byteOffset ?? data.byteOffset, chunkBytes)) {
      if (raw.bytes.length === 0 && options.blankLines === 'skip') {
        blank++;
        continue;
      }
      if (options.nul === 'strip' && raw.bytes.includes(0)) stripped++;
      const cursor = {
        spoolDigest: spool.sha256,
        headerDigest,
        byteOffset: raw.byteOffset,
        line: raw.line,
        ordinal: ordinal++,
      };
      yield { cursor, raw: raw.bytes, outcome: parseRow(raw) };
    }
  }

  function parseRow(raw: RawRecord): SourceRecord['outcome'] {
    try {
      const cells = parseRecord(raw.bytes.toString('utf8'), raw.line, fields);
      return { values: toValues(fitWidth(cells, columns.length, options.ragged, raw.line), columns) };
    } catch (error) {
      if (error instanceof DatasetError && error.scope === 'row') return { error };
      throw error;
    }
  }

  const report = () => {
    const warnings = [...opening.warnings];
    if (splitter.rowEnds.lf && splitter.rowEnds.crlf) {
      warnings.push('W_MIXED_NEWLINES: some lines end with LF and some with CRLF; both were taken as row ends');
    }
    if (stripped > 0) warnings.push(`W_NUL_STRIPPED: NUL characters were removed from ${stripped} records`);
    return { columns, blank, warnings };
  };
  return { records: records(), report };
}

/** Rows of another width: an error, or padded with null; cells are never dropped unless they are empty. */
function fitWidth(cells: Cell[], width: number, ragged: 'error' | 'pad', line: number): Cell[] {
  if (cells.length === width) return cells;
  const fits = ragged === 'pad' && cells.slice(width).every((cell) => cell === '' || cell === null);
  if (!fits) {
    const first = cells.slice(0, WARNING_EXAMPLES).map((cell) => JSON.stringify(cell?.slice(0, 40) ?? null));
    const fields = `${cells.length} ${cells.length === 1 ? 'field' : 'fields'}`;
    const message = `record at line ${line} has ${fields}, the header has ${width}: ${first.join(', ')}`;
    throw new DatasetError('E_ROW_WIDTH', 'row', message, { line });
  }
  return Array.from({ length: width }, (_, at) => cells[at] ?? null);
}

function toValues(cells: readonly Cell[], columns: readonly string[]): RowValues {
  const values: RowValues = Object.create(null);
  for (const [at, column] of columns.entries()) values[column] = cells[at] ?? null;
  return values;
}
