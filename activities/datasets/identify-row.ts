// Makes an admitted row of a record: its identity, its digest, and what other rows may repeat of it.
import type { AdmittedRow } from '../../contracts/plan';
import { contentDigest } from './content-digest';
import { DatasetError } from './dataset-error';
import type { SourceRecord } from './dataset-reader';
import { keyIdentity, positionIdentity } from './identity';
import { keyTexts, normalizeKey } from './key-text';
import type { ResolvedOptions } from './resolve-options';

export interface IdentifiedRow {
  row: AdmittedRow;
  /** Content digest, 64 hex digits. */
  digest: string;
  /** Rows of one group are occurrences of one input; null = every row stands for itself. */
  group: string | null;
  /** Key texts after normalisation; null without a key. */
  texts: readonly string[] | null;
  /** JSON text of the row's input. */
  inputText: string;
}

/** Throws the row's own error, E_KEY_EMPTY, E_KEY_TYPE, or E_ROW_TOO_LARGE above `rowBytes` of JSON. */
export function identifyRow(record: SourceRecord, options: ResolvedOptions, rowBytes: number): IdentifiedRow {
  const { ordinal, line, file } = record.cursor;
  if ('error' in record.outcome) throw record.outcome.error;
  const input = record.outcome.values;
  const texts =
    options.key && keyTexts(input, options.key, line).map((text) => normalizeKey(text, options.keyNormalize));
  const inputText = JSON.stringify(input);
  const inputBytes = Buffer.byteLength(inputText);
  if (inputBytes > rowBytes) {
    const message = `the row at line ${line} has ${inputBytes} bytes of JSON; at most ${rowBytes} are allowed`;
    throw new DatasetError('E_ROW_TOO_LARGE', 'row', `${message}; leave out large columns`, { line });
  }
  const digest = contentDigest(input);
  const identity = texts ? keyIdentity(texts) : positionIdentity(ordinal, digest, file?.name);
  const group = texts ? identity : options.dedupe === 'content' ? digest : null;
  // Not as a spread of its parts: V8 puts such objects among the old ones at once, where a million of them wait for a full collection.
  const row = { identity, ordinal: ordinal + (file?.recordsBefore ?? 0), line, input };
  return { row, digest, group, texts, inputText };
}

/** JSON text of the row, as JSON.stringify gives it, without writing the input a second time. */
export function rowText({ row: { identity, ordinal, line }, inputText }: IdentifiedRow): string {
  return `${JSON.stringify({ identity, ordinal, line }).slice(0, -1)},"input":${inputText}}`;
}
