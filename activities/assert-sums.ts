// The sums that tell a lost or doubled row.
import { sumRowCounts } from '../contracts/counting';
import type { MapSummary } from '../contracts/results';
import { RunStoreError } from './store/run-store';

/** The sums that every summary keeps; one that does not hold means a lost or doubled row, and nothing is written. */
export function assertSums(
  { cardinality, rows, mapId }: Pick<MapSummary, 'cardinality' | 'rows' | 'mapId'>,
  rowsSetting: 'all' | 'done',
): void {
  const { sourceRows, rejectedRows, uniqueInputRows, duplicateOccurrences, outputRows } = cardinality;
  const finished = rows.done + rows.missed + rows.skipped;
  const checks: [string, number, number][] = [
    [
      'sourceRows = rejectedRows + uniqueInputRows + duplicateOccurrences',
      sourceRows,
      rejectedRows + uniqueInputRows + duplicateOccurrences,
    ],
    ['uniqueInputRows = sum of the row statuses', uniqueInputRows, sumRowCounts(rows)],
    ['outputRows = rows written', outputRows ?? -1, rowsSetting === 'all' ? uniqueInputRows : finished],
  ];
  for (const [rule, left, right] of checks) {
    if (left !== right)
      throw new RunStoreError('RESULTS_INCONSISTENT', `map ${mapId}: ${rule} does not hold, ${left} is not ${right}`);
  }
}
