// Rows that stand in the spec.
import { JSON_DEPTH } from '../../contracts/limits';
import type { Json } from '../../contracts/outcomes';
import { DatasetError } from './dataset-error';

/** Inline rows become JSON Lines, so that they pass the same checks; line n is row n, from 1. */
export async function* inlineRows(rows: readonly Json[]): AsyncGenerator<Buffer> {
  for (const [at, row] of rows.entries()) {
    refuseRounded(row, at + 1);
    yield Buffer.from(`${JSON.stringify(row ?? null)}\n`);
  }
}

/** A whole number beyond 2^53 was rounded before it came here: its digits can no longer be trusted. */
function refuseRounded(value: Json, line: number, depth = 0): void {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    const message = `row ${line} holds the number ${value}, which may have been rounded; write it as text`;
    throw new DatasetError('E_JSON_UNSAFE_NUMBER', 'file', message, { line });
  }
  if (value === null || typeof value !== 'object') return;
  if (depth >= JSON_DEPTH) {
    throw new DatasetError('E_JSON_DEPTH', 'file', `row ${line} is nested deeper than ${JSON_DEPTH} levels`, { line });
  }
  for (const member of Object.values(value)) refuseRounded(member, line, depth + 1);
}
