// Which part of an account's limits each worker has: pure, instants on the gate's clock. The parts never add up to more than the limit in any window.
import type { GateLimits } from '../contracts/gate';
import { PART_MARGIN_MS, PART_WINDOW_MS } from '../contracts/limits';

/** A share that a worker may be running on. */
export interface Grant {
  number: number;
  share: GateLimits;
  /** Units it may send altogether; null = nothing is counted. */
  allowance: number | null;
  /** When it is over at the latest: the lease's end, or when the worker said that it has applied a later one. */
  endsMs: number;
  /** The worker said so: what it sent on this share has been reported. */
  isReported: boolean;
}

export interface ShareHolder {
  worker: string;
  /** Counts among those who divide the limits before this instant. */
  activeUntilMs: number;
  /** As the worker said last. */
  inFlight: number;
  /** In order, the latest last. */
  grants: Grant[];
}

export const isActive = ({ activeUntilMs }: ShareHolder, nowMs: number): boolean => nowMs < activeUntilMs;

export const partLimits = ({ rate, concurrency }: GateLimits): GateLimits => ({
  rate: rate.filter(({ perMs }) => perMs <= PART_WINDOW_MS),
  concurrency,
});

/** Most that the worker may have sent in one window that ends now; Infinity when one of its shares does not know this window. */
function reservedInWindow({ grants }: ShareHolder, perMs: number, nowMs: number): number {
  const counting = grants.filter(({ endsMs }) => nowMs < endsMs + perMs + PART_MARGIN_MS);
  const parts = counting.map(({ share }) => share.rate.find((window) => window.perMs === perMs)?.limit ?? Infinity);
  return Math.max(0, ...parts);
}

/** Calls that the worker may have under way; those that were sent on an earlier share count until they have ended. */
function reservedCalls({ grants, inFlight }: ShareHolder, nowMs: number): number {
  const live = grants.filter(({ endsMs }) => nowMs < endsMs);
  if (live.length === 0) return 0;
  return Math.max(inFlight, ...live.map(({ share }) => share.concurrency ?? Infinity));
}

/** The whole part of `limit` for the `place`-th (from 0) of `count` workers: the first ones take the rest. */
export const partOf = (limit: number, place: number, count: number): number =>
  place < 0 || place >= count ? 0 : Math.floor(limit / count) + (place < limit % count ? 1 : 0);

/** What `worker` is due: an equal part in order of arrival; a limit smaller than the number of workers goes to the first ones, who then get the whole of the others too. */
function dueTo(limits: GateLimits, holders: readonly ShareHolder[], worker: string, nowMs: number): GateLimits {
  const { rate, concurrency } = partLimits(limits);
  const active = holders.filter((holder) => isActive(holder, nowMs));
  const place = active.findIndex((holder) => holder.worker === worker);
  const smallest = Math.min(...rate.map(({ limit }) => limit), concurrency ?? Infinity);
  const count = Math.min(active.length, Math.max(1, smallest));
  return {
    rate: rate.map(({ limit, perMs }) => ({ limit: partOf(limit, place, count), perMs })),
    concurrency: concurrency === null ? null : partOf(concurrency, place, count),
  };
}

/** The share that `worker` can have now: what it is due, less what others may still be using. A part moves when it is surely free. */
export function shareFor(
  limits: GateLimits,
  holders: readonly ShareHolder[],
  worker: string,
  nowMs: number,
): GateLimits {
  const { rate, concurrency } = partLimits(limits);
  const due = dueTo(limits, holders, worker, nowMs);
  const others = holders.filter((holder) => holder.worker !== worker);
  const free = (limit: number, reserved: (other: ShareHolder) => number) =>
    Math.max(0, limit - others.reduce((sum, other) => sum + reserved(other), 0));
  const windows = rate.map(({ limit, perMs }, at) => {
    const freeUnits = free(limit, (other) => reservedInWindow(other, perMs, nowMs));
    return { limit: Math.min(due.rate[at]?.limit ?? 0, freeUnits), perMs };
  });
  if (concurrency === null) return { rate: windows, concurrency };
  const freeCalls = free(concurrency, (other) => reservedCalls(other, nowMs));
  return { rate: windows, concurrency: Math.min(due.concurrency ?? 0, freeCalls) };
}

/** The next instant at which the share of `worker` may change by itself, since something of the others is over; Infinity = none is known. */
export function sharesChangeAtMs(
  limits: GateLimits,
  holders: readonly ShareHolder[],
  worker: string,
  nowMs: number,
): number {
  const others = holders.filter((holder) => holder.worker !== worker);
  const leases = others.map(({ activeUntilMs }) => activeUntilMs);
  const share = shareFor(limits, holders, worker, nowMs);
  const isWhole = JSON.stringify(share) === JSON.stringify(dueTo(limits, holders, worker, nowMs));
  const spans = [0, ...share.rate.map(({ perMs }) => perMs + PART_MARGIN_MS)];
  const ends = isWhole ? [] : others.flatMap(({ grants }) => grants.map(({ endsMs }) => endsMs));
  const instants = [...leases, ...ends.flatMap((endsMs) => spans.map((spanMs) => endsMs + spanMs))];
  return Math.min(Infinity, ...instants.filter((atMs) => atMs > nowMs));
}

/** Earlier shares are over once the worker has said that it applied a later one. */
export function withApplied(holder: ShareHolder, applied: number, nowMs: number): Grant[] {
  return holder.grants.map((grant) =>
    grant.number < applied ? { ...grant, endsMs: Math.min(grant.endsMs, nowMs), isReported: true } : grant,
  );
}

/** True while something that was sent on this share may lie in a window that matters. */
export const countsStill = ({ endsMs }: Grant, nowMs: number): boolean =>
  nowMs < endsMs + PART_WINDOW_MS + PART_MARGIN_MS;
