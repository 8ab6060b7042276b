// Digest of a row's content: the same for every quoting, row end, encoding and column order.
import type { Json } from '../../contracts/outcomes';
import { sha256Hex } from '../store/json-lines';
import { plainDecimal } from './decimal';

/** sha256, 64 hex digits. `row1` is the version of the form: another form gets another number. */
export const contentDigest = (values: { [column: string]: Json }): string => sha256Hex(`row1\0${canonicalRow(values)}`);

/** Names sorted by UTF-16 unit, strings exact, numbers as plain decimal; null and missing differ. */
function canonicalRow(value: Json): string {
  if (typeof value === 'number') return plainDecimal(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalRow).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalRow(value[name]!)}`).join(',')}}`;
}
