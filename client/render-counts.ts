// Counts of rows by status and of calls by column, as lines: the same in a running map and in its result.
import type { Counters, CountTable, ErrorCount, RowCounts } from '../contracts/results';
import { counted, money, table } from './format';

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

/** `forced  3 calls bought anew on purpose`, nothing when there are none. */
export const forcedLines = ({ forced = 0 }: CountTable): string[] =>
  forced === 0 ? [] : [`forced  ${counted(forced, 'call')} bought anew on purpose`];

/** One line for each failure code, the most frequent first: `NEEDS_PERSON  38 rows  message`; nothing while every row finished. */
export function errorLines(counts: CountTable): string[] {
  return byCount(counts).map(([code, { rows, message }]) => `  ${code}  ${counted(rows, 'row')}  ${message}`);
}

/** The same in few words, for one line: `NEEDS_PERSON 38 (message), AUTH_INVALID 1`. */
export function errorWords(counts: CountTable): string[] {
  const errors = byCount(counts);
  const [first] = errors;
  if (!first) return [];
  const rest = errors.slice(1).map(([code, { rows }]) => `, ${code} ${rows}`);
  return [`${first[0]} ${first[1].rows} (${first[1].message})${rest.join('')}`];
}

const byCount = ({ errors = {} }: CountTable): [string, ErrorCount][] =>
  Object.entries(errors).sort(([, a], [, b]) => b.rows - a.rows);
