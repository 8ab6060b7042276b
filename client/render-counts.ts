// Counts of rows by status and of calls by column, as lines: the same in a running map and in its result.
import type { Counters, RowCounts } from '../contracts/results';
import { money, table } from './format';

const STATUS_ORDER = ['done', 'missed', 'failed', 'unknown', 'skipped', 'cancelled', 'not_run'] as const;

/** Shown even when they are zero: a person looks for them. */
const ALWAYS = new Set<string>(['done', 'missed', 'failed', 'unknown']);

/** `done 120 · missed 3 · failed 1 · unknown 0`, and the other statuses where there are any. */
export function statusCounts(rows: RowCounts): string[] {
  return STATUS_ORDER.filter((status) => ALWAYS.has(status) || rows[status] > 0).map(
    (status) => `${status.replace('_', ' ')} ${rows[status]}`,
  );
}

const COLUMN_HEADER = [
  'column',
  'executed',
  'reused',
  'attached',
  'held',
  'missed',
  'failed',
  'unknown',
  'skipped',
  'cost',
];

/** One line a column, nothing when no call has ended yet. */
export function columnTable(columns: { [column: string]: Counters }): string[] {
  const rows = Object.entries(columns).map(([name, counters]) => [
    name,
    ...[counters.executed, counters.reused, counters.attached, counters.held].map(String),
    ...[counters.missed, counters.failed, counters.unknown, counters.skipped].map(String),
    money(counters.cost),
  ]);
  return rows.length === 0 ? [] : table([COLUMN_HEADER, ...rows]);
}
