// The dataset options with every default filled in, checked as far as types cannot.
import {
  MAX_DECOMPRESSED_BYTES,
  MAX_FIELD_BYTES,
  MAX_RECORD_BYTES,
  MAX_REJECTS,
  MAX_SOURCE_BYTES,
} from '../../contracts/limits';
import { DatasetError } from './dataset-error';
import type {
  BadRecordOptions,
  CsvOptions,
  DatasetOptions,
  FileOptions,
  IdentityOptions,
  JsonOptions,
} from './options';

/** Every option has its value. `key`: columns in the order they were named, or null for identity by position. */
export interface ResolvedOptions
  extends Required<Omit<IdentityOptions, 'key' | 'rowIdentity'>>,
    Required<BadRecordOptions>,
    Required<CsvOptions>,
    Required<JsonOptions>,
    Required<FileOptions> {
  key: readonly string[] | null;
}

/** Fills in the defaults. DatasetError E_OPTION says which option is wrong, its value and what is expected. */
export function resolveOptions(options: DatasetOptions): ResolvedOptions {
  const resolved: ResolvedOptions = {
    key: resolveKey(options),
    onDuplicateKey: options.onDuplicateKey ?? 'first',
    keyNormalize: options.keyNormalize ?? [],
    dedupe: options.dedupe ?? 'none',
    onBadRecord: options.onBadRecord ?? 'fail',
    maxRejects: options.maxRejects ?? MAX_REJECTS,
    delimiter: options.delimiter ?? ',',
    header: options.header ?? true,
    duplicateHeaders: options.duplicateHeaders ?? 'error',
    quotes: options.quotes ?? 'strict',
    ragged: options.ragged ?? 'error',
    nullUnquotedEmpty: options.nullUnquotedEmpty ?? false,
    blankLines: options.blankLines ?? 'skip',
    nul: options.nul ?? 'error',
    sepDirective: options.sepDirective ?? true,
    allowEmpty: options.allowEmpty ?? false,
    maxFieldBytes: options.maxFieldBytes ?? MAX_FIELD_BYTES,
    duplicateKeys: options.duplicateKeys ?? 'error',
    unsafeNumbers: options.unsafeNumbers ?? 'error',
    loneSurrogates: options.loneSurrogates ?? 'error',
    encoding: options.encoding ?? 'auto',
    maxSourceBytes: options.maxSourceBytes ?? MAX_SOURCE_BYTES,
    maxDecompressedBytes: options.maxDecompressedBytes ?? MAX_DECOMPRESSED_BYTES,
    maxRecordBytes: options.maxRecordBytes ?? MAX_RECORD_BYTES,
  };
  if (resolved.delimiter !== 'auto' && !isDelimiter(resolved.delimiter)) {
    throw optionError(
      'delimiter',
      resolved.delimiter,
      "one ASCII character other than quote, CR, LF and NUL, or 'auto'",
    );
  }
  for (const name of ['maxFieldBytes', 'maxSourceBytes', 'maxDecompressedBytes', 'maxRecordBytes'] as const) {
    if (!(resolved[name] >= 1)) throw optionError(name, resolved[name], 'at least 1 byte');
  }
  if (!(resolved.maxRejects >= 0)) throw optionError('maxRejects', resolved.maxRejects, 'at least 0');
  return resolved;
}

/** Whether a character may separate fields. */
export const isDelimiter = (text: string): boolean =>
  text.length === 1 && text > '\0' && text < '\x7f' && !'"\r\n'.includes(text);

function resolveKey({ key: named, rowIdentity, postgres }: DatasetOptions): readonly string[] | null {
  // What a query is read along identifies its rows too, unless something else is said.
  const key = named ?? (rowIdentity === undefined ? postgres?.key : undefined);
  if (key === undefined) return null;
  if (rowIdentity !== undefined) throw optionError('rowIdentity', rowIdentity, 'either key or rowIdentity, not both');
  const names = typeof key === 'string' ? [key] : key;
  if (names.length === 0 || names.includes('')) throw optionError('key', key, 'at least one column name, none empty');
  if (new Set(names).size < names.length) throw optionError('key', key, 'each column once');
  return names;
}

const optionError = (name: string, value: unknown, expected: string): DatasetError =>
  new DatasetError('E_OPTION', 'file', `dataset.${name} is ${JSON.stringify(value)}; expected ${expected}`);
