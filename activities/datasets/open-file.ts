// Opens one file or URL: spooled, then read by its format.
import type { AdmitDatasetRequest } from './admission-types';
import { openCsvReader } from './csv/csv-reader';
import type { DatasetReader, Spool } from './dataset-reader';
import { isUrl, openUrl } from './http/open-url';
import { openJsonlReader } from './jsonl/jsonl-reader';
import type { ResolvedOptions } from './resolve-options';
import { openSource } from './source-path';
import { compareWithSource, readOpenFile, type SpoolSource, spoolSource } from './spool';

export interface OpenDataset {
  reader: DatasetReader;
  spool: Spool;
  /** Absolute paths of local files. */
  sourcePaths: string[];
  warnings: string[];
  /** What happened to the source since, as warnings. */
  compare(): Promise<string[]>;
}

export interface OpenFileRequest {
  request: AdmitDatasetRequest;
  path: string;
  format: 'csv' | 'jsonl';
  options: ResolvedOptions;
  chunkBytes: number;
}

export async function openFile({ request, path, format, options, chunkBytes }: OpenFileRequest): Promise<OpenDataset> {
  const source = await openPlace(request, path, chunkBytes);
  const { warnings, ...spool } = await spoolAndClose(source, request, options, chunkBytes);
  const reader =
    format === 'csv' ? await openCsvReader(spool, options, chunkBytes) : openJsonlReader(spool, options, chunkBytes);
  return { reader, spool, sourcePaths: source.path === null ? [] : [source.path], warnings, compare: source.compare };
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
