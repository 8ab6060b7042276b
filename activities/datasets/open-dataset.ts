// From the dataset section to a reader: file or inline rows, through the spool. The one place that knows the formats.
import type { SecretReference } from '../../contracts/schemas/secret-reference';
import { describeSecret, resolveSecret } from '../tools/secrets';
import { SecretUnavailable } from '../tools/tool-errors';
import type { AdmitDatasetRequest } from './admission-types';
import { DatasetError } from './dataset-error';
import { isUrl, shownSource } from './http/open-url';
import { inlineRows } from './inline-rows';
import { openFiles } from './join-files';
import { openJsonlReader } from './jsonl/jsonl-reader';
import { type OpenDataset, openFile } from './open-file';
import type { DatasetOptions, Files, PostgresSource } from './options';
import { readQuery } from './postgres/read-query';
import type { ResolvedOptions } from './resolve-options';
import { writeSpool } from './spool';

/** Name of the source in errors: its path as it was written (a URL without its query, or where it lies), or `dataset.rows`, `dataset.postgres`. */
export function sourceName({ csv, jsonl, postgres }: DatasetOptions): string {
  const files = csv ?? jsonl ?? (postgres ? 'dataset.postgres' : 'dataset.rows');
  if (isReference(files)) return `the URL in ${describeSecret(files)}`;
  const [first, ...others] = [files].flat();
  return `${shownSource(first ?? '')}${others.length > 0 ? ` and ${others.length} more` : ''}`;
}

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
    return { reader, spool, sourcePaths: [], warnings: [], compare: async () => [] };
  }
  if (postgres !== undefined) return openQuery(postgres, request, options, chunkBytes);
  const files = csv ?? jsonl ?? [];
  const paths = isReference(files) ? [await urlIn(files)] : [files].flat();
  const openOne = (path: string) =>
    openFile({ request, path, format: csv === undefined ? 'jsonl' : 'csv', options, chunkBytes });
  return paths.length === 1 ? openOne(paths[0]!) : openFiles(paths, openOne);
}

const isReference = (files: Files): files is SecretReference => typeof files === 'object' && !Array.isArray(files);

/** Throws E_SOURCE_UNREADABLE, which never tells what it found. */
async function urlIn(reference: SecretReference): Promise<string> {
  const unreadable = (why: string) => new DatasetError('E_SOURCE_UNREADABLE', 'file', why);
  const url = await resolveSecret(reference).catch((error: unknown) => {
    throw error instanceof SecretUnavailable ? unreadable(error.message) : error;
  });
  if (!isUrl(url)) throw unreadable('it is none; expected http://… or https://…');
  return url;
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
  return { reader, spool, sourcePaths: [], warnings: [], compare: async () => [] };
}
