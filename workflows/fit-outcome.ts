// Makes a row's outcome small enough for one message: its largest cells go to the run store one by one.
import { PAYLOAD_CHARACTERS } from '../contracts/limits';
import type { Json, StoredValue } from '../contracts/outcomes';
import type { RowOutcome } from '../contracts/results';

const charactersOf = (value: unknown): number => JSON.stringify(value).length;

/** A cell that cannot even travel to the store is lost to the table, and the row says so. */
function withoutCell(outcome: RowOutcome, column: string, characters: number): RowOutcome {
  const { [column]: _, ...cells } = outcome.cells;
  const message = `the cell has ${characters} characters of JSON, expected at most ${PAYLOAD_CHARACTERS}`;
  const error = outcome.error ?? { code: 'RESULT_TOO_LARGE' as const, message, column, repairable: false };
  return { ...outcome, cells, status: outcome.status === 'unknown' ? 'unknown' : 'failed', error };
}

/** The outcome with so many of its largest cells replaced by `store` that what is left fits; itself when it fits already. */
export async function fitOutcome(
  outcome: RowOutcome,
  store: (value: Json) => Promise<StoredValue>,
): Promise<RowOutcome> {
  let fitted = outcome;
  const bySize = Object.entries(outcome.cells)
    .map(([column, value]) => ({ column, value, characters: charactersOf(value) }))
    .sort((a, b) => b.characters - a.characters);
  for (const { column, value, characters } of bySize) {
    if (charactersOf(fitted) <= PAYLOAD_CHARACTERS) break;
    if (characters > PAYLOAD_CHARACTERS) fitted = withoutCell(fitted, column, characters);
    else fitted = { ...fitted, cells: { ...fitted.cells, [column]: await store(value as Json) } };
  }
  return fitted;
}
