// The sums that tell a lost or doubled row.
import { sumRowCounts } from '../contracts/counting';
import type { Counters, MapSummary } from '../contracts/results';
import { RunStoreError } from './store/run-store';

/** Counted once for the column and once for the provider of each call. */
const CALL_COUNTERS = ['executed', 'reused', 'attached', 'held', 'missed', 'failed', 'unknown', 'cost'] as const;

/** In millionths, as money is added. */
const sumOf = (groups: { [group: string]: Counters }, name: keyof Counters): number =>
  Object.values(groups).reduce((sum, counters) => Math.round((sum + counters[name]) * 1e6) / 1e6, 0);

/** The sums that every summary keeps; one that does not hold means a lost or doubled row, and nothing is written. */
export function assertSums(
  { cardinality, rows, counts, mapId }: Pick<MapSummary, 'cardinality' | 'rows' | 'counts' | 'mapId'>,
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
    ...CALL_COUNTERS.map((name): [string, number, number] => [
      `${name} of all columns = ${name} of all providers`,
      sumOf(counts.columns, name),
      sumOf(counts.providers, name),
    ]),
  ];
  for (const [rule, left, right] of checks) {
    if (left !== right)
      throw new RunStoreError('RESULTS_INCONSISTENT', `map ${mapId}: ${rule} does not hold, ${left} is not ${right}`);
  }
}
