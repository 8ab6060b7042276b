// Checks that the key columns are in the header, and helps to find the right name when they are not.
import { WARNING_EXAMPLES } from '../../contracts/limits';
import { nearest } from '../../contracts/suggest';
import { suspectDelimiter } from './csv/delimiter';
import { DatasetError } from './dataset-error';
import { foldKey } from './key-text';

/** Names match exactly. Throws E_KEY_COLUMN_MISSING, which lists the header and suggests a name that differs by case, space or composition. */
export function checkKeyColumns(key: readonly string[], header: readonly string[], headerLine: number | null): void {
  const missing = key.find((column) => !header.includes(column));
  if (missing === undefined) return;
  const near = header.find((column) => foldKey(column) === foldKey(missing)) ?? nearest(missing, header);
  const names = header.slice(0, WARNING_EXAMPLES).map((column) => JSON.stringify(column));
  if (header.length > names.length) names.push(`and ${header.length - names.length} more`);
  const suggestion = near === null ? '' : `; did you mean ${JSON.stringify(near)}?${codePoints(missing, near)}`;
  const message = `key column ${JSON.stringify(missing)} is not in the header (${names.join(', ')})${suggestion}${delimiterHint(header)}`;
  throw new DatasetError('E_KEY_COLUMN_MISSING', 'file', message, headerLine === null ? {} : { line: headerLine });
}

/** A header of one name that holds another separator was most likely written with that one. */
function delimiterHint(header: readonly string[]): string {
  const delimiter = header.length === 1 ? suspectDelimiter(header[0]!) : null;
  return delimiter === null
    ? ''
    : `; if ${JSON.stringify(delimiter)} separates the columns set delimiter: ${JSON.stringify(delimiter)}`;
}

/** Shown when two names look the same on a screen. */
function codePoints(wanted: string, found: string): string {
  if (wanted.normalize('NFC') !== found.normalize('NFC')) return '';
  const points = (text: string) => Array.from(text, (one) => `U+${hex(one.codePointAt(0)!)}`).join(' ');
  return ` It is ${points(found)}; the key is ${points(wanted)}`;
}

const hex = (point: number): string => point.toString(16).toUpperCase().padStart(4, '0');
