// What the `dataset` section of a map spec may say. Defaults are in resolve-options.ts.
import type { Json } from '../../contracts/outcomes';
import type { SecretReference } from '../../contracts/schemas/secret-reference';

/** Encodings that can be named. `auto`: byte order mark, else strict UTF-8; never a statistical guess. */
export const SOURCE_ENCODINGS = [
  'auto',
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'iso-8859-1',
  'iso-8859-15',
] as const;
export type SourceEncoding = (typeof SOURCE_ENCODINGS)[number];

export const ON_DUPLICATE_KEY = ['first', 'last', 'error-on-conflict', 'error'] as const;
export type OnDuplicateKey = (typeof ON_DUPLICATE_KEY)[number];

export const KEY_NORMALIZE = ['trim', 'nfc', 'casefold'] as const;
export type KeyNormalize = (typeof KEY_NORMALIZE)[number];

/** Rows of a query. `key`: columns that are never null and unique together; the rows are read along them. */
export interface PostgresSource {
  url: SecretReference;
  query: string;
  key: string | readonly string[];
  /** Rows of one query; default QUERY_PAGE_ROWS. */
  pageRows?: number;
  /** All rows as of one moment, in one open transaction. Default: each page as of its own moment. */
  snapshot?: 'repeatable-read';
}

/** Paths or URLs of files, or where one URL lies that must not stand in a spec. Paths: absolute, or relative to the folder of the spec. */
export type Files = string | readonly string[] | SecretReference;

/** Where the rows are: exactly one of the four. */
export interface DatasetSource {
  csv?: Files;
  jsonl?: Files;
  rows?: readonly Json[];
  postgres?: PostgresSource;
}

/** How a row gets its identity. Neither: `source_row`. */
export interface IdentityOptions {
  /** Column, or columns, whose text identifies a row. */
  key?: string | readonly string[];
  /** `source_row`: position plus content; excludes `key`. */
  rowIdentity?: 'source_row';
  /** Two rows with one key. `first` (default): the first in source order wins and differing ones are counted and warned about. */
  onDuplicateKey?: OnDuplicateKey;
  /** Applied to the key text before it is compared, always in the order trim, nfc, casefold. Default: none. */
  keyNormalize?: readonly KeyNormalize[];
  /** Without a key: `content` merges equal rows. Default `none`. */
  dedupe?: 'none' | 'content';
}

/** What happens to a record that cannot become a row. */
export interface BadRecordOptions {
  /** `fail` (default): the first one refuses the dataset. `reject`: it goes to the rejects file and reading goes on. */
  onBadRecord?: 'fail' | 'reject';
  /** Rejects that are allowed with `reject`; one more refuses the dataset. At least 0; default MAX_REJECTS. */
  maxRejects?: number;
}

/** CSV only. */
export interface CsvOptions {
  /** One ASCII character, or `auto`: decided by the header record alone, a tie is an error. Default `,`. */
  delimiter?: string;
  /** `true` (default): the first record names the columns. `false`: columns are column_1, column_2, …. A list: these are the names. */
  header?: boolean | readonly string[];
  /** Two columns of one name. Default `error`; `suffix` makes a, a_2, a_3. */
  duplicateHeaders?: 'error' | 'suffix';
  /** A quote inside an unquoted field: error of its row (default), or text. */
  quotes?: 'strict' | 'lenient';
  /** Another number of fields than columns: error of its row (default); `pad`: missing cells are null, extra ones must be empty. */
  ragged?: 'error' | 'pad';
  /** An unquoted empty cell is null, a quoted one is "". Default false: both are "". */
  nullUnquotedEmpty?: boolean;
  /** A line of zero bytes is skipped and counted (default), or a record with one empty field. */
  blankLines?: 'skip' | 'row';
  /** A NUL character in a cell: error of its row (default), or removed and counted. */
  nul?: 'error' | 'strip';
  /** Honour `sep=;` on the first line. Default true. */
  sepDirective?: boolean;
  /** A source without any record is zero rows instead of an error. Default false. */
  allowEmpty?: boolean;
  /** Bytes of one field; default MAX_FIELD_BYTES. */
  maxFieldBytes?: number;
}

/** JSON Lines and inline rows. */
export interface JsonOptions {
  /** A property name twice in one object: error of its row (default), or the last one wins. */
  duplicateKeys?: 'error' | 'last';
  /** A number that a double cannot hold exactly: error of its row (default), or its text as a string. */
  unsafeNumbers?: 'error' | 'string';
  /** An unpaired surrogate: error of its row (default), or U+FFFD. */
  loneSurrogates?: 'error' | 'replace';
}

/** Files only; sizes in bytes, at least 1. */
export interface FileOptions {
  encoding?: SourceEncoding;
  maxSourceBytes?: number;
  maxDecompressedBytes?: number;
  /** Bytes of one record; default MAX_RECORD_BYTES. */
  maxRecordBytes?: number;
}

/** The `dataset` section of a map spec. */
export interface DatasetOptions
  extends DatasetSource,
    IdentityOptions,
    BadRecordOptions,
    CsvOptions,
    JsonOptions,
    FileOptions {}
