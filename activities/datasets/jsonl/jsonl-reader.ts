// Dataset reader for JSON Lines: one object a line, columns as they appear.
import { sha256Hex } from '../../store/json-lines';
import { DatasetError } from '../dataset-error';
import type { DatasetReader, RecordCursor, RecordStream, RowValues, SourceRecord, Spool } from '../dataset-reader';
import { checkCursor, readSpool } from '../raw-record';
import type { ResolvedOptions } from '../resolve-options';
import { parseJson } from './parse-json';
import { splitLines } from './split-lines';

/** JSON Lines have no header: every cursor carries this instead. */
const NO_HEADER = sha256Hex('jsonl1');
const BLANK = /^[ \t\r]*$/;

/** `header`: columns that every row has, for sources that know them; null = each row names its own. */
export function openJsonlReader(
  spool: Spool,
  options: ResolvedOptions,
  chunkBytes: number,
  header: readonly string[] | null = null,
): DatasetReader {
  return {
    header,
    headerLine: null,
    read(from?: RecordCursor): RecordStream {
      if (from) checkCursor(from, spool, NO_HEADER, null);
      return readLines({ spool, options, chunkBytes, header }, from);
    },
  };
}

interface Reading {
  spool: Spool;
  options: ResolvedOptions;
  chunkBytes: number;
  header: readonly string[] | null;
}

function readLines({ spool, options, chunkBytes, header }: Reading, from?: RecordCursor): RecordStream {
  const start = from ?? { byteOffset: 0, line: 1 };
  const columns = new Set<string>(header ?? []);
  let blank = 0;
  let ordinal = from?.ordinal ?? 0;

  async function* records(): AsyncGenerator<SourceRecord> {
    const stream = readSpool(spool, start.byteOffset, chunkBytes);
    for await (const { bytes, byteOffset, line } of splitLines(stream, start, options.maxRecordBytes)) {
      const text = bytes.toString('utf8');
      if (BLANK.test(text)) {
        blank++;
        continue;
      }
      const cursor = { spoolDigest: spool.sha256, headerDigest: NO_HEADER, byteOffset, line, ordinal: ordinal++ };
      const outcome = parseRow(text, line, options);
      if ('values' in outcome) for (const name of Object.keys(outcome.values)) columns.add(name);
      yield { cursor, raw: bytes, outcome };
    }
  }

  return { records: records(), report: () => ({ columns: [...columns], blank, warnings: [] }) };
}

function parseRow(text: string, line: number, options: ResolvedOptions): SourceRecord['outcome'] {
  try {
    const value = parseJson(text, line, options);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return { values: value as RowValues };
    const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
    const message = `line ${line} holds ${kind}; expected an object`;
    return { error: new DatasetError('E_JSON_NOT_OBJECT', 'row', message, { line }) };
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    return { error: line === 1 && /^\s*[[{]\s*$/.test(text) ? withArrayHint(error) : error };
  }
}

/** A file that starts with a lone bracket is a JSON document over several lines. */
const withArrayHint = (error: DatasetError): DatasetError =>
  new DatasetError(
    error.code,
    error.scope,
    `${error.message}; this looks like one JSON document, expected one object a line`,
    error.at,
  );
