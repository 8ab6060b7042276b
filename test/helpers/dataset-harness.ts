// Runs one dataset through admission and through its reader, and says everything that the cases ask about.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AdmitDatasetRequest, AdmittedDataset } from '../../activities/datasets/admission-types';
import { admitDataset } from '../../activities/datasets/admit-dataset';
import { DatasetError } from '../../activities/datasets/dataset-error';
import type { RecordCursor } from '../../activities/datasets/dataset-reader';
import type { HostRules } from '../../activities/datasets/http/checked-lookup';
import { type IdentifiedRow, identifyRow } from '../../activities/datasets/identify-row';
import { openDataset } from '../../activities/datasets/open-dataset';
import type { OpenDataset } from '../../activities/datasets/open-file';
import type { DatasetOptions } from '../../activities/datasets/options';
import { resolveOptions } from '../../activities/datasets/resolve-options';
import { parseJsonLines } from '../../activities/store/json-lines';
import type { AdmittedRow } from '../../contracts/plan';

/** Above what a row may have in production, so that cases of reading large fields can be read to the end. */
const LARGE_ROW_BYTES = 64 * 1024 * 1024;

export interface DatasetRun {
  folder: string;
  dataset: DatasetOptions;
  chunkBytes?: number;
  pageRows?: number;
  pageBytes?: number;
  rowBytes?: number;
  limitRows?: number;
  hosts?: HostRules;
  afterPage?: (page: number) => Promise<void>;
}

export interface AcceptedRow extends IdentifiedRow {
  cursor: RecordCursor;
}

export interface DatasetOutcome extends AdmittedDataset {
  pages: AdmittedRow[][];
  /** Rows that were admitted, all pages joined. */
  admitted: AdmittedRow[];
}

/** Writes a source file into the folder and answers its name. */
export async function sourceFile(folder: string, name: string, content: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), content);
  return name;
}

function request(run: DatasetRun, pages: AdmittedRow[][]): AdmitDatasetRequest {
  const {
    folder,
    dataset,
    chunkBytes = 65_536,
    pageRows = 250,
    pageBytes = LARGE_ROW_BYTES,
    limitRows,
    afterPage,
  } = run;
  return {
    dataset,
    baseDir: folder,
    folder: join(folder, 'work'),
    ...(limitRows === undefined ? {} : { limitRows }),
    ...(run.hosts === undefined ? {} : { hosts: run.hosts }),
    sizes: { chunkBytes, pageRows, pageBytes, rowBytes: run.rowBytes ?? LARGE_ROW_BYTES },
    onPage: async (page, text) => {
      expect(page).toBe(pages.length);
      pages.push(parseJsonLines(text));
      await afterPage?.(page);
    },
  };
}

export async function admit(run: DatasetRun): Promise<DatasetOutcome> {
  const pages: AdmittedRow[][] = [];
  const admitted = await admitDataset(request(run, pages));
  expect(pages.map((rows) => rows.length)).toEqual(admitted.pageRows);
  return { ...admitted, pages, admitted: pages.flat() };
}

/** The error of an admission that must fail. */
export async function admissionError(run: DatasetRun): Promise<DatasetError> {
  const error: unknown = await admit(run).then(
    () => new Error('the dataset was admitted'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof DatasetError) return error;
  throw error;
}

export const openRun = (run: DatasetRun): Promise<OpenDataset> =>
  openDataset(request(run, []), resolveOptions(run.dataset), run.chunkBytes ?? 65_536);

/** Every accepted row with its identity, repeated ones included, from the start or from a cursor. */
export async function acceptedRows(run: DatasetRun, from?: RecordCursor): Promise<AcceptedRow[]> {
  const options = resolveOptions(run.dataset);
  const { reader } = await openRun(run);
  const rows: AcceptedRow[] = [];
  for await (const record of reader.read(from).records) {
    try {
      rows.push({ ...identifyRow(record, options, LARGE_ROW_BYTES), cursor: record.cursor });
    } catch (error) {
      if (!(error instanceof DatasetError) || error.scope === 'file') throw error;
    }
  }
  return rows;
}

export async function rejectsOf({
  rejectsPath,
}: AdmittedDataset): Promise<{ line: number; code: string; raw: string }[]> {
  if (rejectsPath === null) return [];
  const lines = (await readFile(rejectsPath, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** Codes of warnings. */
export const warningCodes = (warnings: readonly string[]): string[] => warnings.map((text) => text.split(':')[0]!);
