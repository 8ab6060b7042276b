// For onDuplicateKey 'last': one full pass before the first row runs, to know the last record of each repeated key.
import { DatasetError } from './dataset-error';
import type { DatasetReader, RecordCursor } from './dataset-reader';
import { type IdentifiedRow, identifyRow } from './identify-row';
import { Occurrences } from './occurrences';
import type { ResolvedOptions } from './resolve-options';

/** Answers the row that wins for a row that occurs first: itself, or the last one under the first one's ordinal. */
export type PickWinner = (first: IdentifiedRow) => Promise<IdentifiedRow>;

export async function lastWins(reader: DatasetReader, options: ResolvedOptions, rowBytes: number): Promise<PickWinner> {
  const seen = new Occurrences();
  const last = new Map<string, RecordCursor>();
  for await (const record of reader.read().records) {
    const identified = tryIdentify(() => identifyRow(record, options, rowBytes));
    if (!identified?.group) continue;
    if (seen.add(identified.group, identified.digest, 0)) last.set(identified.group, record.cursor);
  }
  return async (first) => {
    const cursor = last.get(first.group ?? '');
    if (!cursor) return first;
    for await (const record of reader.read(cursor).records) {
      const winner = identifyRow(record, options, rowBytes);
      return { ...winner, row: { ...winner.row, ordinal: first.row.ordinal } };
    }
    return first;
  };
}

/** Bad rows are told in the second pass, in order with everything else. */
function tryIdentify(identify: () => IdentifiedRow): IdentifiedRow | null {
  try {
    return identify();
  } catch (error) {
    if (error instanceof DatasetError && error.scope === 'row') return null;
    throw error;
  }
}
