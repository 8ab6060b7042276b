// Counters and statuses derived from stored facts: the same functions in pages, in the summary and in tests.
import { SHOWN_ERROR_CHARACTERS } from './limits';
import type { Counters, CountTable, LedgerEntry, RowCounts, RowOutcome, RowStatus } from './results';
import { ROW_STATUSES } from './results';

export const noCounters = (): Counters => ({
  executed: 0,
  reused: 0,
  attached: 0,
  held: 0,
  missed: 0,
  failed: 0,
  unknown: 0,
  skipped: 0,
  cost: 0,
});

export const noCountTable = (): CountTable => ({ columns: {}, providers: {} });

export const noRowCounts = (): RowCounts => ({
  unknown: 0,
  failed: 0,
  cancelled: 0,
  not_run: 0,
  done: 0,
  missed: 0,
  skipped: 0,
});

/** Money is added in millionths, so that 0.1 + 0.2 prints as 0.3. */
const addMoney = (a: number, b: number): number => Math.round((a + b) * 1e6) / 1e6;

function addCounters(into: Counters, other: Counters): void {
  for (const name of Object.keys(into) as (keyof Counters)[]) {
    into[name] = name === 'cost' ? addMoney(into.cost, other.cost) : into[name] + other[name];
  }
}

/** Adds `other` into `into`, in place: pages add thousands of rows. */
export function addCountTable(into: CountTable, other: CountTable): CountTable {
  for (const group of ['columns', 'providers'] as const) {
    for (const [name, counters] of Object.entries(other[group])) {
      if (!Object.hasOwn(into[group], name)) into[group][name] = noCounters();
      addCounters(into[group][name] as Counters, counters);
    }
  }
  addErrors(into, other.errors ?? {});
  for (const name of ['forced', 'failedBesides'] as const) {
    if (other[name]) into[name] = (into[name] ?? 0) + other[name];
  }
  return into;
}

function addErrors(into: CountTable, errors: NonNullable<CountTable['errors']>): void {
  for (const [code, { rows, message }] of Object.entries(errors)) {
    into.errors ??= {};
    const before = into.errors[code];
    into.errors[code] = { rows: (before?.rows ?? 0) + rows, message: before?.message ?? message };
  }
}

export function addRowCounts(into: RowCounts, other: RowCounts): RowCounts {
  for (const status of ROW_STATUSES) into[status] += other[status];
  return into;
}

/** Adds one row to the counts of the map in which it came to be what it is, in place. */
export function countFrom(from: { [mapId: string]: RowCounts }, mapId: string, status: RowStatus): void {
  if (!Object.hasOwn(from, mapId)) from[mapId] = noRowCounts();
  (from[mapId] as RowCounts)[status] += 1;
}

export const sumRowCounts = (rows: RowCounts): number => ROW_STATUSES.reduce((sum, status) => sum + rows[status], 0);

function countEntry(entry: LedgerEntry): Counters {
  const counters = noCounters();
  counters.held = entry.holds;
  if (entry.receipt) {
    counters[entry.receipt.how === 'resolved' ? 'reused' : entry.receipt.how] += 1;
    if (entry.receipt.how === 'executed') counters.cost = entry.receipt.price;
  }
  if (entry.charged) {
    counters.cost = addMoney(counters.cost, entry.charged);
    counters.executed += 1; // what was charged was bought, whatever came of it
  }
  if (entry.status === 'missed' || entry.status === 'failed' || entry.status === 'unknown') counters[entry.status] += 1;
  return counters;
}

/** A failed call that takes none of what its map may call. */
const isFailedBesides = ({ status, attempts, attached, charged }: LedgerEntry): boolean =>
  status === 'failed' && (attempts === 0 || attached === true || charged !== undefined);

/** Counters of one row, by column and by `<provider>.<account>`, and why it did not finish. */
export function countOutcome(outcome: Pick<RowOutcome, 'ledger' | 'skipped' | 'error'>): CountTable {
  const table = noCountTable();
  if (outcome.error) {
    const { code, message } = outcome.error;
    table.errors = { [code]: { rows: 1, message: message.slice(0, SHOWN_ERROR_CHARACTERS) } };
  }
  for (const entry of outcome.ledger) {
    const counters = countEntry(entry);
    addCountTable(table, {
      columns: { [entry.column]: counters },
      providers: { [`${entry.provider}.${entry.account}`]: counters },
    });
  }
  const forced = outcome.ledger.filter((entry) => entry.forced && entry.receipt?.how === 'executed').length;
  if (forced > 0) table.forced = forced;
  const failedBesides = outcome.ledger.filter(isFailedBesides).length;
  if (failedBesides > 0) table.failedBesides = failedBesides;
  for (const column of outcome.skipped) {
    addCountTable(table, { columns: { [column]: { ...noCounters(), skipped: 1 } }, providers: {} });
  }
  return table;
}

/** The status that wins when several apply (rule 1); `skipped` when none does. */
export function worstStatus(statuses: Iterable<RowStatus>): RowStatus {
  const present = new Set(statuses);
  return ROW_STATUSES.find((status) => present.has(status)) ?? 'skipped';
}

/** What all calls together cost, by column. */
export const totalCost = ({ columns }: CountTable): number =>
  Object.values(columns).reduce((sum, { cost }) => addMoney(sum, cost), 0);
