// Pure functions over ledgers: what was asked, charged and refused.
import type { LedgerEntry, Verdict } from './ledger';
import type { Window } from './options';

export interface WindowUse extends Window {
  /** Most requests, or tokens of admitted ones, in any span of `perMs`: of the admitted, and of all that arrived. */
  maxAdmitted: number;
  maxArrived: number;
}

export interface ProviderSummary {
  requests: number;
  admitted: number;
  charges: number;
  /** Sum of the charged prices. */
  cost: number;
  /** Charges beyond the first of each billing key. */
  duplicateCharges: number;
  /** Charges beyond the first of each input, under whatever key: what a buyer of each input once paid too much. */
  repeatedCharges: number;
  verdicts: { [verdict in Verdict]?: number };
  /** Refusals with status 429, from closings and limits together. */
  throttles: number;
  /** Refusals of each closing that met a request. */
  closings: { closing: number; refusals: number }[];
  maxInFlight: number;
  windows: WindowUse[];
}

export interface LedgerSummary {
  requests: number;
  charges: number;
  cost: number;
  duplicateCharges: number;
  /** Charges beyond the first of each input, under whatever key: what a buyer of each input once paid too much. */
  repeatedCharges: number;
  providers: { [provider: string]: ProviderSummary };
}

/** Entries of a ledger file, or of the answer of `GET /_ledger`. */
export function parseLedger(text: string): LedgerEntry[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as LedgerEntry);
}

/** Entries grouped by what may be charged once, those with more than one charge. Empty = nobody paid twice. */
export function duplicateCharges(entries: readonly LedgerEntry[]): LedgerEntry[][] {
  const charged = groupBy(
    entries.filter((entry) => entry.charged),
    (entry) => entry.billingKey,
  );
  return [...charged.values()].filter((group) => group.length > 1);
}

/** Entries grouped by what was asked, those that were charged more than once, under one key or several. */
export function repeatedCharges(entries: readonly LedgerEntry[]): LedgerEntry[][] {
  const charged = groupBy(
    entries.filter((entry) => entry.charged),
    ({ provider, method, path, input }) => JSON.stringify([provider, method, path, input]),
  );
  return [...charged.values()].filter((group) => group.length > 1);
}

/** Most requests, or tokens of them, in any half-open span of `perMs`. Entries in order of arrival. */
export function busiestWindow(
  entries: readonly LedgerEntry[],
  perMs: number,
  unit: Window['unit'] = 'requests',
): number {
  const weightOf = ({ tokens = 0 }: LedgerEntry): number => (unit === 'tokens' ? tokens : 1);
  let most = 0;
  let sum = 0;
  let oldest = 0;
  for (const entry of entries) {
    sum += weightOf(entry);
    for (
      let first = entries[oldest];
      first && first.arrivedAtMs + perMs <= entry.arrivedAtMs;
      first = entries[oldest]
    ) {
      sum -= weightOf(first);
      oldest += 1;
    }
    most = Math.max(most, sum);
  }
  return most;
}

/** Everything that a person or a test asks of a ledger. `windows`: the spans to look at, by provider. */
export function summarizeLedger(
  entries: readonly LedgerEntry[],
  windows: { readonly [provider: string]: readonly Window[] } = {},
): LedgerSummary {
  const groups = groupBy(entries, (entry) => entry.provider);
  const providers = [...groups].map(([name, own]) => [name, summarizeProvider(own, windows[name] ?? [])] as const);
  return { ...totals(entries), providers: Object.fromEntries(providers) };
}

function summarizeProvider(entries: readonly LedgerEntry[], windows: readonly Window[]): ProviderSummary {
  const admitted = entries.filter((entry) => entry.admitted);
  const closings = countBy(entries, (entry) => entry.closing);
  return {
    ...totals(entries),
    admitted: admitted.length,
    verdicts: Object.fromEntries(countBy(entries, (entry) => entry.verdict)),
    throttles: entries.filter((entry) => entry.status === 429).length,
    closings: [...closings].map(([closing, refusals]) => ({ closing, refusals })),
    maxInFlight: admitted.reduce((most, entry) => Math.max(most, entry.inFlight + 1), 0),
    windows: windows.map((window) => ({
      ...window,
      maxAdmitted: busiestWindow(admitted, window.perMs, window.unit),
      maxArrived: busiestWindow(entries, window.perMs, window.unit),
    })),
  };
}

const beyondFirst = (groups: LedgerEntry[][]): number => groups.reduce((sum, group) => sum + group.length - 1, 0);

function totals(entries: readonly LedgerEntry[]) {
  const charges = entries.filter((entry) => entry.charged);
  return {
    requests: entries.length,
    charges: charges.length,
    // Millionths, so that a sum of prices such as 0.02 has no tail.
    cost: Math.round(charges.reduce((sum, entry) => sum + entry.price, 0) * 1e6) / 1e6,
    duplicateCharges: beyondFirst(duplicateCharges(entries)),
    repeatedCharges: beyondFirst(repeatedCharges(entries)),
  };
}

function groupBy<Key>(entries: readonly LedgerEntry[], keyOf: (entry: LedgerEntry) => Key): Map<Key, LedgerEntry[]> {
  const groups = new Map<Key, LedgerEntry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}

/** How many entries have each key; entries without one are left out. */
function countBy<Key>(
  entries: readonly LedgerEntry[],
  keyOf: (entry: LedgerEntry) => Key | undefined,
): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
