// What a run of chaos is judged by: the ledger of the provider and the tables of the maps; and what the maps counted, by that ledger.
import type { MapLab, StartedMap } from '../helpers/map-lab';

export interface Verdict {
  maps: number;
  rows: number;
  done: number;
  unknown: number;
  failed: number;
  /** Codes of the failed rows with their counts, such as `WORKER_LOST 1`: what chaos may do, five lost workers in a row with one call. */
  failedAs: string;
  /** Rows that no table has, or that a table has twice. */
  lost: number;
  /** Cells that belong to another row. */
  wrong: number;
  requests: number;
  charges: number;
  /** Charges beyond the first, of one billing key and of one input. */
  duplicates: number;
  /** Keys with an answer that no map counts as executed; negative: counts without one. A failed call may have been charged unknown to all. */
  uncounted: number;
}

/** Columns that are named as their providers, which charge one key once. */
const KEYED_COLUMNS = ['keyed', 'shared'];

/** A company as the simulator answers it says whose it is. */
function isOfAnother(cell: unknown, asked: unknown): boolean {
  const of = (cell as { domain?: string } | null)?.domain;
  return of !== undefined && of !== asked;
}

/** Each map has rows `{ domain }` of its own, so that a second charge of an input is a duplicate across all of them. */
export async function judge(
  { sim }: MapLab,
  maps: readonly { map: StartedMap; domains: string[] }[],
): Promise<Verdict> {
  const verdict: Verdict = {
    maps: maps.length,
    rows: 0,
    done: 0,
    unknown: 0,
    failed: 0,
    failedAs: '',
    lost: 0,
    wrong: 0,
    requests: 0,
    charges: 0,
    duplicates: 0,
    uncounted: 0,
  };
  const codes = new Map<string, number>();
  let executed = 0;
  for (const { map, domains } of maps) {
    const table = await map.table();
    const { columns } = (await map.result()).counts;
    for (const column of KEYED_COLUMNS) executed += columns[column]?.executed ?? 0;
    const found = new Set(table.map(({ domain }) => domain));
    verdict.rows += domains.length;
    verdict.lost += domains.filter((domain) => !found.has(domain)).length + (table.length - found.size);
    for (const { status, code } of await map.failures()) {
      if (status !== 'unknown') codes.set(String(code), (codes.get(String(code)) ?? 0) + 1);
    }
    for (const { domain, question, keyed, shared, _status } of table) {
      if (_status === 'unknown') verdict.unknown += 1;
      else if (_status === 'done' || _status === 'missed') verdict.done += 1;
      else verdict.failed += 1;
      if (isOfAnother(keyed, domain) || isOfAnother(shared, question)) verdict.wrong += 1;
    }
  }
  const { requests, charges, duplicateCharges, repeatedCharges } = sim.summary();
  const failedAs = [...codes].map(([code, count]) => `${code} ${count}`).join(', ') || 'none';
  const answered = sim.ledger.filter(
    ({ provider, charged, verdict }) => KEYED_COLUMNS.includes(provider) && (charged || verdict === 'missed'),
  );
  const keys = new Set(answered.map(({ billingKey }) => billingKey));
  const duplicates = Math.max(duplicateCharges, repeatedCharges);
  return { ...verdict, failedAs, requests, charges, duplicates, uncounted: keys.size - executed };
}
