// What a gate refuses to take from anybody: a message out of bounds is ignored with a warning, a request for a lease is answered with the reason.
import {
  ENDPOINT_CHARACTERS,
  LATEST_INSTANT_MS,
  MAX_LEASE_TTL_MS,
  MAX_PROVIDER_CONCURRENCY,
  MAX_WINDOW_MS,
  MAX_WINDOW_REQUESTS,
  MIN_LEASE_TTL_MS,
  SAID_CHARACTERS,
} from '../contracts/limits';

const isRecord = (value: unknown): value is { [name: string]: unknown } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const isBetween = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most;

const isName = (value: unknown): boolean =>
  typeof value === 'string' && isBetween(value.length, 1, ENDPOINT_CHARACTERS);

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200);

/** Zero is allowed in both: nothing is sent. */
function limitsProblem(limits: { [name: string]: unknown }): string | null {
  const { rate, concurrency } = limits;
  const windows = rate === undefined || rate === null ? [] : rate;
  const isWindow = (window: unknown) =>
    isRecord(window) &&
    Number.isInteger(window.limit) &&
    isBetween(window.limit, 0, MAX_WINDOW_REQUESTS) &&
    isBetween(window.perMs, 1, MAX_WINDOW_MS);
  if (!Array.isArray(windows) || !windows.every(isWindow)) {
    return `rate: got ${shown(rate)}, expected a list of { "limit": whole number from 0, "perMs": 1 to ${MAX_WINDOW_MS} }`;
  }
  if (concurrency === undefined || concurrency === null) return null;
  if (Number.isInteger(concurrency) && isBetween(concurrency, 0, MAX_PROVIDER_CONCURRENCY)) return null;
  return `concurrency: got ${shown(concurrency)}, expected a whole number from 0 to ${MAX_PROVIDER_CONCURRENCY}`;
}

export function adjustProblem(wanted: unknown): string | null {
  if (!isRecord(wanted))
    return `adjust was ignored: got ${shown(wanted)}, expected { "rate": [ ... ], "concurrency": n }`;
  const unknown = Object.keys(wanted).find((name) => name !== 'rate' && name !== 'concurrency');
  if (unknown !== undefined) return `adjust was ignored: got ${unknown}, known are rate and concurrency`;
  const problem = limitsProblem(wanted);
  return problem === null ? null : `adjust was ignored: ${problem}`;
}

export function throttledProblem(throttled: unknown): string | null {
  if (
    isRecord(throttled) &&
    isBetween(throttled.remainingMs, 0, LATEST_INSTANT_MS) &&
    typeof throttled.reason === 'string' &&
    (throttled.said === undefined ||
      (typeof throttled.said === 'string' && throttled.said.length <= SAID_CHARACTERS)) &&
    (throttled.endpoint === undefined || isName(throttled.endpoint))
  ) {
    return null;
  }
  return `throttled was ignored: got ${shown(throttled)}, expected { "remainingMs": 0 to ${LATEST_INSTANT_MS}, "reason": "throttled" }, and as "endpoint" a name or nothing`;
}

export function needsPersonProblem(stop: unknown): string | null {
  if (isRecord(stop) && typeof stop.message === 'string' && isBetween(stop.upMs, 0, Number.MAX_SAFE_INTEGER))
    return null;
  return `needsPerson was ignored: got ${shown(stop)}, expected { "message": "why", "upMs": milliseconds since the worker's start }`;
}

export function leaseRequestProblem(request: unknown): string | null {
  if (!isRecord(request)) return `lease: got ${shown(request)}, expected a request`;
  const { worker, ttlMs, waitMs, limits, counts } = request;
  if (typeof worker !== 'string' || worker === '') return `lease: worker: got ${shown(worker)}, expected a text`;
  if (!isBetween(ttlMs, MIN_LEASE_TTL_MS, MAX_LEASE_TTL_MS)) {
    return `lease: ttlMs: got ${shown(ttlMs)}, expected ${MIN_LEASE_TTL_MS} to ${MAX_LEASE_TTL_MS}`;
  }
  if (!isBetween(waitMs, 0, ttlMs / 2)) return `lease: waitMs: got ${shown(waitMs)}, expected at most half of ttlMs`;
  const isCount = (name: string) => isBetween(isRecord(counts) ? counts[name] : null, 0, Number.MAX_SAFE_INTEGER);
  if (!['sent', 'succeeded', 'throttled'].every(isCount)) return `lease: counts: got ${shown(counts)}, expected counts`;
  if (request.wants !== undefined && !isBetween(request.wants, 0, Number.MAX_SAFE_INTEGER))
    return `lease: wants: got ${shown(request.wants)}, expected a number from 0`;
  const problem = isRecord(limits) ? limitsProblem(limits) : `limits: got ${shown(limits)}, expected limits`;
  return problem === null ? null : `lease: ${problem}`;
}
