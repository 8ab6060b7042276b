// What a gate is made of, what may be replaced while it runs, and what it tells.
import type { Closing, GateRefusal } from '../../activities/gate-port';
import type { GateLoad } from '../../contracts/gate';
import type { WindowLimit } from './rate-window';

/** One provider account as its provider file declares it. */
export interface GateSettings {
  provider: string;
  account: string;
  /** What its windows count; left out: requests. A gate of another unit only paces: it has no concurrency, and nobody closes it. */
  unit?: string;
  /** All of them hold at the same time; none = no limit. */
  rate: readonly WindowLimit[];
  /** Requests in flight at the same time; null = no limit. */
  concurrency: number | null;
  /** Without any success for this long since the first throttle the account is exhausted. */
  giveUpAfterMs: number;
}

/** One provider account with its limits in other units than requests. */
export interface AccountSettings extends GateSettings {
  units?: readonly { unit: string; rate: readonly WindowLimit[] }[];
}

/** Limits that take the place of the declared ones; what is left out stays. */
export interface GateShare {
  rate?: readonly WindowLimit[];
  concurrency?: number | null;
}

/** A share that ends by itself, of limits that all workers divide. */
export interface LeasedShare extends Required<GateShare> {
  /** Monotonic instant from which nothing is sent any more. */
  untilMs: number;
  /** Units that may be sent altogether, by `unitsSent` of the snapshot, and when there may be more; null = no limit. */
  allowance: Allowance | null;
  /** What a call may weigh at most by the limits in force; left out: as declared. */
  heaviest?: number;
  /** Of the windows in force; left out: as declared. */
  shortestWindowMs?: number;
}

/** Units counted out: not more than `units` since the gate was made; `moreAtMs` is monotonic. */
export interface Allowance {
  units: number;
  moreAtMs: number;
}

/** A closing as it stands now. `remainingMs` is a duration, so that it can travel to another clock. */
export interface ClosedEvent extends Closing {
  provider: string;
  account: string;
  throttlesInARow: number;
  closedUntilMs: number;
  remainingMs: number;
  /** Asked for by a success: nobody was refused. */
  isRest: boolean;
  /** When the refused call was sent; null = no call of this account was refused. */
  load: GateLoad | null;
}

export type ClosedListener = (event: ClosedEvent) => void;

/** State of a gate for logs and tests. */
export interface GateSnapshot {
  provider: string;
  account: string;
  closedUntilMs: number | null;
  throttlesInARow: number;
  exhausted: Extract<GateRefusal, { kind: 'exhausted' }>['code'] | null;
  /** Calls that the reopening lets in together; null = normal. */
  ramp: number | null;
  inFlight: number;
  waiting: number;
  residentWaits: number;
  slots: number;
  unitsSent: number;
  unitsSettled: number;
  unitsPending: number;
  /** Weight of the call at the head of the line; 0 = none waits. */
  headWeight: number;
  sent: number;
  succeeded: number;
  throttled: number;
}
