// References to values in the run store: their shape, and which cells of a row truly are some.
import type { Json, StoredValue } from './outcomes';
import type { RowOutcome } from './results';

/** Store of answers that every map may read, beside those of the maps; no map can have this id. */
export const SHARED_VALUES = '_shared';

/** A value with the shape of a reference. A provider's answer may have it too, so the shape alone proves nothing. */
export function looksStored(value: Json | StoredValue): value is StoredValue {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const stored = value.$stored as StoredValue['$stored'] | undefined;
  return Object.keys(value).length === 1 && typeof stored?.ref === 'string' && typeof stored.digest === 'string';
}

/** Which cells are references: those whose value came from the store. Nothing is said where no cell looks like one. */
export function withReferences(outcome: RowOutcome, known: ReadonlySet<string>): RowOutcome {
  const alike = Object.entries(outcome.cells).flatMap(([column, cell]) =>
    looksStored(cell) ? [{ column, isKnown: known.has(cell.$stored.digest) }] : [],
  );
  if (alike.length === 0) return outcome;
  return { ...outcome, references: alike.filter(({ isKnown }) => isKnown).map(({ column }) => column) };
}

/** The reference that a cell is, or null. Outcomes of earlier versions do not say which ones are: their shape counts. */
export function referenceOf(outcome: Pick<RowOutcome, 'references'>, column: string, cell: Json | StoredValue) {
  if (!looksStored(cell)) return null;
  return outcome.references === undefined || outcome.references.includes(column) ? cell.$stored : null;
}
