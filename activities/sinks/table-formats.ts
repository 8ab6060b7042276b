// The formats of outputs: a new one is a file and a line here.
import { csvSink } from './csv-sink';
import { jsonSink, linesSink } from './document-sinks';
import { jsonlSink } from './jsonl-sink';
import type { OpenTable, Sink, TableWriter } from './sink';

const SINKS = {
  csv: csvSink,
  jsonl: jsonlSink,
  lines: linesSink,
  json: jsonSink,
} satisfies { [format: string]: Sink };

export type TableFormat = keyof typeof SINKS;

/** Opens a table for writing; nothing is visible under its path before `finish`. Throws OutputError OUTPUT_UNWRITABLE. */
export const openTable = ({ format, ...table }: OpenTable & { format: TableFormat }): Promise<TableWriter> =>
  SINKS[format].open(table);
