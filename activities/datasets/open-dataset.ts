// From the dataset section to a reader: file or inline rows, through the spool. The one place that knows the formats.
import { JSON_DEPTH } from '../../contracts/limits';
import type { Json } from '../../contracts/outcomes';
import type { AdmitDatasetRequest } from './admission-types';
import { openCsvReader } from './csv/csv-reader';
import { DatasetError } from './dataset-error';
import type { DatasetReader, Spool } from './dataset-reader';
import { isUrl, openUrl, shownSource } from './http/open-url';
import { openJsonlReader } from './jsonl/jsonl-reader';
import type { DatasetOptions, PostgresSource } from './options';
import { readQuery } from './postgres/read-query';
import type { ResolvedOptions } from './resolve-options';
import { openSource } from './source-path';
import { compareWithSource, readOpenFile, type SpoolSource, spoolSource, writeSpool } from './spool';

export interface OpenDataset {
  reader: DatasetReader;
  spool: Spool;
  /** Absolute path of the file; null for everything else. */
  sourcePath: string | null;
  warnings: string[];
  /** What happened to the source since, as warnings. */
  compare(): Promise<string[]>;
}

/** Name of the source in errors: its path as it was written (a URL without its query), or `dataset.rows`, `dataset.postgres`. */
export const sourceName = ({ csv, jsonl, postgres }: DatasetOptions): string =>
  shownSource(csv ?? jsonl ?? (postgres ? 'dataset.postgres' : 'dataset.rows'));

/** Spools the source and opens it. Exactly one of `csv`, `jsonl`, `rows` and `postgres` must be named. */
export async function openDataset(
  request: AdmitDatasetRequest,
  options: ResolvedOptions,
  chunkBytes: number,
): Promise<OpenDataset> {
  const { csv, jsonl, rows, postgres } = request.dataset;
  const named = [csv, jsonl, rows, postgres].filter((source) => source !== undefined).length;
  if (named !== 1) {
    throw new DatasetError(
      'E_OPTION',
      'file',
      `dataset names ${named} sources; expected exactly one of csv, jsonl, rows and postgres`,
    );
  }
  if (rows !== undefined) {
    const spool = await writeSpool(request.folder, inlineRows(rows));
    const reader = openJsonlReader(spool, options, chunkBytes);
    return { reader, spool, sourcePath: null, warnings: [], compare: async () => [] };
  }
  if (postgres !== undefined) return openQuery(postgres, request, options, chunkBytes);
  const source = await openPlace(request, csv ?? jsonl ?? '', chunkBytes);
  const { warnings, ...spool } = await spoolAndClose(source, request, options, chunkBytes);
  const reader =
    csv === undefined ? openJsonlReader(spool, options, chunkBytes) : await openCsvReader(spool, options, chunkBytes);
  return { reader, spool, sourcePath: source.path, warnings, compare: source.compare };
}

/** Rows of a query become JSON Lines as well. With a limit no more of them are read than it needs to be known to be reached. */
async function openQuery(
  source: PostgresSource,
  { dataset, folder, limitRows }: AdmitDatasetRequest,
  options: ResolvedOptions,
  chunkBytes: number,
): Promise<OpenDataset> {
  // Only rows along the query's own key are known to be separate rows.
  const mostRows = limitRows === undefined || dataset.key !== undefined ? Number.POSITIVE_INFINITY : limitRows + 1;
  const { columns, spool } = await readQuery(source, mostRows, (lines) => writeSpool(folder, lines));
  const reader = openJsonlReader(spool, options, chunkBytes, columns);
  return { reader, spool, sourcePath: null, warnings: [], compare: async () => [] };
}

/** A source that is open, whatever it is read from. */
interface OpenPlace extends SpoolSource {
  path: string | null;
  close(): Promise<void>;
  compare(): Promise<string[]>;
}

async function openPlace(request: AdmitDatasetRequest, path: string, chunkBytes: number): Promise<OpenPlace> {
  if (isUrl(path)) {
    const answer = await openUrl(path, request.hosts ?? { privateHosts: [] });
    return { ...answer, path: null, compare: async () => [] };
  }
  const file = await openSource(sourcePlace(request, path));
  return {
    name: file.realPath,
    bytes: file.bytes,
    stream: readOpenFile(file, chunkBytes),
    path: file.realPath,
    close: () => file.handle.close(),
    compare: () => compareWithSource(file),
  };
}

const sourcePlace = ({ baseDir, dataRoot }: AdmitDatasetRequest, path: string) =>
  dataRoot === undefined ? { path, baseDir } : { path, baseDir, dataRoot };

async function spoolAndClose(
  source: OpenPlace,
  { folder }: AdmitDatasetRequest,
  options: ResolvedOptions,
  chunkBytes: number,
) {
  try {
    return await spoolSource({ source, folder, options, chunkBytes });
  } finally {
    await source.close();
  }
}

/** Inline rows become JSON Lines, so that they pass the same checks; line n is row n, from 1. */
async function* inlineRows(rows: readonly Json[]): AsyncGenerator<Buffer> {
  for (const [at, row] of rows.entries()) {
    refuseRounded(row, at + 1);
    yield Buffer.from(`${JSON.stringify(row ?? null)}\n`);
  }
}

/** A whole number beyond 2^53 was rounded before it came here: its digits can no longer be trusted. */
function refuseRounded(value: Json, line: number, depth = 0): void {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    const message = `row ${line} holds the number ${value}, which may have been rounded; write it as text`;
    throw new DatasetError('E_JSON_UNSAFE_NUMBER', 'file', message, { line });
  }
  if (value === null || typeof value !== 'object') return;
  if (depth >= JSON_DEPTH) {
    throw new DatasetError('E_JSON_DEPTH', 'file', `row ${line} is nested deeper than ${JSON_DEPTH} levels`, { line });
  }
  for (const member of Object.values(value)) refuseRounded(member, line, depth + 1);
}
