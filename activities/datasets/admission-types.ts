// What admitDataset is asked and what it answers.
import type { Cardinality } from '../../contracts/cardinality';
import type { Repetition } from '../../contracts/check-report';
import type { AdmittedRow } from '../../contracts/plan';
import type { Spool } from './dataset-reader';
import type { HostRules } from './http/checked-lookup';
import type { DatasetOptions } from './options';

export interface AdmitDatasetRequest {
  dataset: DatasetOptions;
  /** Folder that relative paths start from; they may not leave it. */
  baseDir: string;
  /** When set, absolute paths too must lie in this folder. */
  dataRoot?: string;
  /** Existing or new local folder for the spool and the rejects file. */
  folder: string;
  /** The folder is removed afterwards, so no message sends anybody there. */
  isTrial?: boolean;
  /** Hosts of URLs that may have private addresses; none when left out. */
  hosts?: HostRules;
  /** Admit only the first rows, at least 1. The count then stops where reading stopped. */
  limitRows?: number;
  /** Takes each page as it is complete, pages from 0 in order, one at a time; reading is at most one page ahead. `text`: its rows ({@link AdmittedRow}) as JSON Lines, valid until the promise settles. */
  onPage: (page: number, text: Buffer) => Promise<void>;
  /** Sizes that only tests set; the defaults are those of contracts/limits.ts. */
  sizes?: { pageRows?: number; pageBytes?: number; rowBytes?: number; chunkBytes?: number };
}

/** Numbers of one dataset. `blank` lines lie outside all sums. */
export interface DatasetCardinality extends Cardinality {
  blank: number;
}

export interface AdmittedDataset {
  /** Source columns in order. */
  columns: string[];
  cardinality: DatasetCardinality;
  /** The first of the rows that repeat an earlier one, a bounded number. */
  repeats: Repetition[];
  /** Rows of each page, in order. */
  pageRows: number[];
  /** `W_CODE: text` lines a person can act on, a bounded number. */
  warnings: string[];
  spool: Spool;
  /** Absolute paths of the source files, to keep an output from overwriting one; none for rows that are no files. */
  sourcePaths: string[];
  /** JSON Lines of the records that were set aside; null when there are none. */
  rejectsPath: string | null;
}
