// The one error of reading datasets: a code, whether the file or one row is bad, and where.

export const DATASET_ERROR_CODES = [
  'E_OPTION',
  'E_SOURCE_NOT_FOUND',
  'E_SOURCE_NOT_FILE',
  'E_SOURCE_NOT_ALLOWED',
  'E_SOURCE_UNREADABLE',
  'E_SOURCE_NOT_DATA',
  'E_SOURCE_FORMAT',
  'E_SOURCE_CORRUPT',
  'E_SOURCE_TOO_LARGE',
  'E_SOURCE_TRUNCATED',
  'E_SOURCE_CHANGED',
  'E_ENCODING_INVALID',
  'E_ENCODING_CONFLICT',
  'E_ENCODING_UNSUPPORTED',
  'E_EMPTY_SOURCE',
  'E_CSV_BARE_CR',
  'E_CSV_BARE_LF',
  'E_CSV_QUOTE',
  'E_CSV_QUOTE_UNCLOSED',
  'E_CSV_TEXT_AFTER_QUOTE',
  'E_CSV_DELIMITER_AMBIGUOUS',
  'E_FIELD_TOO_LARGE',
  'E_RECORD_TOO_LARGE',
  'E_HEADER_DUPLICATE',
  'E_HEADER_DIFFERS',
  'E_ROW_WIDTH',
  'E_ROW_TOO_LARGE',
  'E_NUL',
  'E_JSON_PARSE',
  'E_JSON_NOT_OBJECT',
  'E_JSON_DUPLICATE_KEY',
  'E_JSON_UNSAFE_NUMBER',
  'E_JSON_DEPTH',
  'E_JSON_LONE_SURROGATE',
  'E_KEY_COLUMN_MISSING',
  'E_KEY_EMPTY',
  'E_KEY_TYPE',
  'E_KEY_CONFLICT',
  'E_TOO_MANY_REJECTS',
  'E_PG_QUERY',
  'E_PG_READ_ONLY',
  'E_PG_KEY_NOT_UNIQUE',
  'E_PG_KEY_NULL',
] as const;
export type DatasetErrorCode = (typeof DATASET_ERROR_CODES)[number];

/** Where it is: `line` and `field` from 1, `column` (character of a JSON line) from 1, `byte` from 0, after decompression and the byte order mark. */
export interface DatasetErrorPlace {
  /** Path as it was named, or `dataset.rows`. */
  source?: string;
  line?: number;
  /** Both lines of a conflict. */
  lines?: readonly number[];
  byte?: number;
  field?: number;
  column?: number;
}

/** `file`: nothing of the source can be used. `row`: this record only, which `onBadRecord: 'reject'` sets aside. */
export type DatasetErrorScope = 'file' | 'row';

export class DatasetError extends Error {
  override readonly name = 'DatasetError';

  /** `message` says what was found and what was expected; the source is put in front of it. */
  constructor(
    readonly code: DatasetErrorCode,
    readonly scope: DatasetErrorScope,
    message: string,
    readonly at: DatasetErrorPlace = {},
    options?: ErrorOptions,
  ) {
    super(at.source === undefined ? message : `${at.source}: ${message}`, options);
  }
}
