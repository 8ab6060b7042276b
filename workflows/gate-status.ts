// What a gate shows to people: instants on the server's clock.
import type { GateStatus, GateWorker } from '../contracts/gate';
import { closingStatus } from './gate-closing';
import { endpointStatuses } from './gate-endpoints';
import { learnedStatus } from './gate-learning';
import { isActive } from './gate-shares';
import { activeHolders, type GateState, type Holder, limitsInForce } from './gate-state';

export function statusOf(state: GateState): GateStatus {
  const { needsPerson, closing, declared, adjusted, paused, counts, seenMs, offsetMs } = state;
  return {
    asOfMs: seenMs - offsetMs,
    paused,
    declared,
    adjusted,
    inForce: limitsInForce(state),
    ...closingStatus(closing, seenMs, offsetMs),
    endpoints: endpointStatuses(state.endpoints ?? [], state),
    learned: learnedStatus(state.learning, Math.max(1, activeHolders(state).length), offsetMs),
    needsPerson: needsPerson ? { message: needsPerson.message, sinceMs: needsPerson.sinceMs - offsetMs } : null,
    counts,
    workers: state.holders.filter((holder) => isActive(holder, seenMs)).map((holder) => workerOf(holder, offsetMs)),
  };
}

function workerOf({ worker, grants, spent, activeUntilMs, inFlight }: Holder, offsetMs: number): GateWorker {
  const latest = grants.at(-1);
  const allowance = latest?.allowance ?? null;
  return {
    worker,
    share: latest?.share ?? { rate: [], concurrency: null },
    unitsLeft: allowance === null ? null : Math.max(0, allowance - spent),
    leaseEndsAtMs: activeUntilMs - offsetMs,
    inFlight,
  };
}
