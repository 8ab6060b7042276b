// The text of a key: what two rows are compared by.
import { DatasetError } from './dataset-error';
import type { RowValues } from './dataset-reader';
import { plainDecimal } from './decimal';
import type { KeyNormalize } from './options';

/** Text of each key column. Strings as they are, numbers as plain decimal. Row errors: E_KEY_EMPTY, E_KEY_TYPE. */
export function keyTexts(values: RowValues, columns: readonly string[], line: number): string[] {
  return columns.map((column) => {
    const value = Object.hasOwn(values, column) ? values[column] : undefined;
    const name = JSON.stringify(column);
    if (typeof value === 'number') return plainDecimal(value);
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'string' || value === undefined || value === null) {
      const found = value === undefined ? 'missing' : value === null ? 'null' : value === '' ? 'empty' : 'blank';
      throw new DatasetError(
        'E_KEY_EMPTY',
        'row',
        `key column ${name} is ${found} at line ${line}; expected text or a number`,
        { line },
      );
    }
    const found = Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
    throw new DatasetError(
      'E_KEY_TYPE',
      'row',
      `key column ${name} is ${found} at line ${line}; expected text or a number`,
      { line },
    );
  });
}

/** Always in the order trim, nfc, casefold, whatever order they were named in. */
export function normalizeKey(text: string, steps: readonly KeyNormalize[]): string {
  const trimmed = steps.includes('trim') ? text.trim() : text;
  const composed = steps.includes('nfc') ? trimmed.normalize('NFC') : trimmed;
  // Upper case first: it takes ß to SS and final sigma to Σ, so both spellings meet.
  return steps.includes('casefold') ? composed.toUpperCase().toLowerCase() : composed;
}

/** The form in which keys that a person would take for the same one meet. */
export const foldKey = (text: string): string => normalizeKey(text, ['trim', 'nfc', 'casefold']);
