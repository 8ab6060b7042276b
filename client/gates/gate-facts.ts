// What a gate's status means at an instant: whether it is closed now, which workers hold a lease now, what is in use.
import type { GateLimits, GateStatus, GateWorker } from '../../contracts/gate';

export interface GateFacts {
  paused: boolean;
  /** Null = open. */
  closedUntilMs: number | null;
  /** Requests under way over all live workers, as of their last reports. */
  inFlight: number;
  concurrency: number | null;
  live: GateWorker[];
  /** Workers whose lease has ended without being given back: killed, hung, or cut off from the server. */
  silent: GateWorker[];
}

/**
 * `nowMs` is this machine's clock, the instants are the server's: a status that is newer than `nowMs` corrects a clock that
 * is behind, one that is ahead makes leases look older than they are.
 */
export function gateFacts(status: GateStatus, nowMs: number): GateFacts {
  const atMs = Math.max(nowMs, status.asOfMs);
  const live = status.workers.filter((worker) => worker.leaseEndsAtMs > atMs);
  return {
    paused: status.paused,
    closedUntilMs: status.closedUntilMs !== null && status.closedUntilMs > atMs ? status.closedUntilMs : null,
    inFlight: live.reduce((sum, worker) => sum + worker.inFlight, 0),
    concurrency: status.inForce.concurrency,
    live,
    silent: status.workers.filter((worker) => worker.leaseEndsAtMs <= atMs),
  };
}

/** Whether `limits` let more through than `declared`: a higher window of the same length, a window left out, more at once. */
export function exceeds(limits: GateLimits, declared: GateLimits): boolean {
  const isLower = ({ limit, perMs }: GateLimits['rate'][number]): boolean =>
    limits.rate.some((window) => window.perMs === perMs && window.limit <= limit);
  const more = declared.concurrency !== null && (limits.concurrency ?? Infinity) > declared.concurrency;
  return more || !declared.rate.every(isLower);
}
