// What a row is called where its id is a digest, as in the Temporal UI: the values of its key, or its line.
import { ROW_LABEL_CHARACTERS } from './limits';
import type { AdmittedRow } from './plan';

/** `key`: columns of the dataset that identify a row; left out by plans of older workers and for rows without a key. */
export function rowLabel({ input, line }: Pick<AdmittedRow, 'input' | 'line'>, key: readonly string[] = []): string {
  const values = key.map((column) => input[column]).filter((value) => value !== undefined && value !== null);
  const text = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' · ');
  const label = text.trim() === '' ? `line ${line}` : text;
  return label.length <= ROW_LABEL_CHARACTERS ? label : `${cut(label, ROW_LABEL_CHARACTERS - 1)}…`;
}

/** Not within a character of two code units: half of one is no valid text. */
function cut(text: string, length: number): string {
  const isHigh = /[\uD800-\uDBFF]/.test(text[length - 1] ?? '');
  return text.slice(0, isHigh ? length - 1 : length);
}
