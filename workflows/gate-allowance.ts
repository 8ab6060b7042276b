// Units of windows too long to be divided in parts: counted out with each lease, and what is not reported back counts as used. Pure.
import type { GateLimits, GateWindow } from '../contracts/gate';
import { ALLOWANCE_ENTRIES, ALLOWANCE_SHARE, ALLOWANCE_UNITS, PART_WINDOW_MS } from '../contracts/limits';
import type { Grant } from './gate-shares';

/** Units counted together, as if all had been sent at `lastMs`. */
interface Used {
  firstMs: number;
  lastMs: number;
  units: number;
}

/** What was sent in one window. */
export interface UsedUnits {
  perMs: number;
  used: Used[];
}

export interface UnitHolder {
  /** Units that the worker has reported as sent. */
  spent: number;
  /** When its report before the latest arrived: of shares that were over by then everything is known. */
  knownMs: number;
  /** Units that it had let in and not sent when it was heard last. */
  pending?: number;
  grants: Grant[];
}

/** Where calls weigh differently: what the worker's next call needs, and what is kept for the next calls of workers before it. */
export interface Weighed {
  wants?: number | undefined;
  reserved: number;
}

export const countedWindows = ({ rate }: GateLimits): GateWindow[] =>
  rate.filter(({ perMs }) => perMs > PART_WINDOW_MS);

/** One record for each counted window; a window that is new begins with what the shortest longer one has seen, else the longest. */
export function recordsFor(limits: GateLimits, records: readonly UsedUnits[]): UsedUnits[] {
  const byLength = records.toSorted((a, b) => a.perMs - b.perMs);
  return countedWindows(limits).map(({ perMs }) => {
    const memory = byLength.find((record) => record.perMs >= perMs) ?? byLength.at(-1);
    return { perMs, used: memory ? [...memory.used] : [] };
  });
}

/** `units` were sent, at the latest at `atMs`. */
export function withUsed(records: readonly UsedUnits[], units: number, atMs: number): UsedUnits[] {
  return records.map(({ perMs, used }) => {
    const living = used.filter(({ lastMs }) => atMs < lastMs + perMs);
    const last = living.at(-1);
    if (!(units > 0)) return { perMs, used: living };
    if (!last || atMs - last.firstMs >= perMs / ALLOWANCE_ENTRIES) {
      return { perMs, used: [...living, { firstMs: atMs, lastMs: atMs, units }] };
    }
    const joined = { ...last, lastMs: Math.max(atMs, last.lastMs), units: last.units + units };
    return { perMs, used: [...living.slice(0, -1), joined] };
  });
}

/** Calls turned out lighter by `units`. What was used first gives way first: it would have been free sooner, so nothing is free too early. */
export function withRefund(records: readonly UsedUnits[], units: number, atMs: number): UsedUnits[] {
  if (!(units > 0)) return [...records];
  return records.map(({ perMs, used }) => {
    let left = units;
    const lighter = used.flatMap((entry) => {
      if (atMs >= entry.lastMs + perMs) return [];
      const back = Math.min(left, entry.units);
      left -= back;
      return back === entry.units ? [] : [{ ...entry, units: entry.units - back }];
    });
    return { perMs, used: lighter };
  });
}

/** True while units that were sent on this share may not have been reported. */
export const countsUnits = ({ knownMs }: UnitHolder, { isReported, endsMs }: Grant): boolean =>
  !isReported && endsMs > knownMs;

/** Units that the worker may still send, or may have sent without having said so; Infinity when a share of it counts nothing. */
export function unitsOut(holder: UnitHolder, nowMs: number): number {
  const counting = holder.grants.filter((grant) => countsUnits(holder, grant));
  const uncounted = counting.some(({ allowance, endsMs }) => allowance === null && nowMs < endsMs);
  return uncounted
    ? Infinity
    : Math.max(holder.pending ?? 0, ...counting.map(({ allowance }) => (allowance ?? 0) - holder.spent));
}

/** Units to count out now to one of `count` active workers, of what is neither sent nor out with the `others`; null = no window is counted. */
export function unitsFor(
  limits: GateLimits,
  records: readonly UsedUnits[],
  others: readonly UnitHolder[],
  { count, ttlMs, nowMs, wants = 0, reserved }: { count: number; ttlMs: number; nowMs: number } & Weighed,
): number | null {
  const windows = countedWindows(limits);
  if (windows.length === 0) return null;
  const mostOf = (limit: number, perMs: number): number =>
    Math.max(ALLOWANCE_UNITS, Math.ceil(limit * Math.max(ALLOWANCE_SHARE, (2 * ttlMs) / perMs)));
  const out = others.reduce((sum, other) => sum + unitsOut(other, nowMs), 0);
  const units = windows.map(({ limit, perMs }) => {
    const free = limit - out - usedIn(records, perMs, nowMs) - reserved;
    // Too few for the call that comes next are of no use to the worker, and kept by all of them they would get no heavy call through.
    if (wants > 0 && free < wants) return 0;
    if (wants > 0) return Math.max(wants, Math.min(mostOf(limit, perMs), Math.floor(free / count)));
    return free < 1 ? 0 : Math.min(mostOf(limit, perMs), Math.max(1, Math.floor(free / count)));
  });
  return Math.min(...units);
}

/** The next instant at which units become free by time; Infinity = nothing is used. */
export function unitsFreeAtMs(records: readonly UsedUnits[], nowMs: number): number {
  const instants = records.flatMap(({ perMs, used }) => used.map(({ lastMs }) => lastMs + perMs));
  return Math.min(Infinity, ...instants.filter((atMs) => atMs > nowMs));
}

function usedIn(records: readonly UsedUnits[], perMs: number, nowMs: number): number {
  const used = records.find((record) => record.perMs === perMs)?.used ?? [];
  return used.reduce((sum, { lastMs, units }) => sum + (nowMs < lastMs + perMs ? units : 0), 0);
}
