// The gate that all workers share for one account of one provider: closings, leases, pause, counts. It never ends; it continues as new.
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  log,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Lease, LeaseRequest } from '../contracts/gate';
import { KEPT_LEASE_REQUESTS } from '../contracts/limits';
import { adjustProblem, leaseRequestProblem, needsPersonProblem, throttledProblem } from './gate-checks';
import { gateDetails } from './gate-details';
import { hasNews, leaseFor, newsAtMs } from './gate-lease';
import {
  gateAdjustSignal,
  gatePauseSignal,
  gateResumeSignal,
  gateStatusQuery,
  leaseUpdate,
  needsPersonSignal,
  returnedSignal,
  succeededSignal,
  throttledSignal,
} from './gate-messages';
import { withPersonStop } from './gate-person';
import { adjusted, atInstant, type GateState, heard, NEW_GATE, returned, succeeded, throttled } from './gate-state';
import { statusOf } from './gate-status';

/** What one run hands to the next; the first run is started without. */
export interface GateRun {
  state?: GateState;
  /** Leases of one run, for a server that suggests no continuing as new; default: as the server suggests. */
  leasesOfRun?: number;
}

/** Its id is `gateWorkflowId` of contracts/ids.ts. Workers start it with their first lease; nobody has to end it. */
export async function providerGate({ state: carried = NEW_GATE, leasesOfRun = Infinity }: GateRun = {}): Promise<void> {
  let state = carried;
  let leases = 0;
  let isEnding = false;
  /** Requests that are kept back, the oldest first. */
  let kept: number[] = [];
  let turns = 0;

  const look = (): GateState => {
    state = atInstant(state, Date.now());
    return state;
  };

  /** A message has changed it. */
  const change = (next: GateState): void => {
    state = next;
    setCurrentDetails(gateDetails(statusOf(state)));
  };

  /** Keeps a request back until there is news for its worker, its time is over, or too many others wait. */
  async function keepBack({ worker, request, waitMs }: LeaseRequest): Promise<void> {
    const untilMs = look().seenMs + waitMs;
    const turn = ++turns;
    kept = [...kept, turn].slice(-KEPT_LEASE_REQUESTS);
    const isOver = () => {
      const overtaken = state.holders.find((holder) => holder.worker === worker)?.request !== request;
      return isEnding || overtaken || !kept.includes(turn) || hasNews(look(), worker);
    };
    for (;;) {
      const nowMs = look().seenMs;
      const restMs = Math.min(untilMs, newsAtMs(state, worker)) - nowMs;
      if (nowMs >= untilMs || isOver()) break;
      await condition(isOver, Math.max(1, restMs));
    }
    kept = kept.filter((other) => other !== turn);
  }

  change(state);
  setHandler(gateStatusQuery, () => statusOf(state));
  setHandler(
    leaseUpdate,
    async (request): Promise<Lease> => {
      state = heard(look(), request);
      const { worker, waitMs } = request;
      if (waitMs > 0) await keepBack(request);
      // Forgotten while it was kept back, if it has returned its lease meanwhile: heard anew, it is a worker like any other.
      const answer = leaseFor(heard(look(), request), worker, kept.length < KEPT_LEASE_REQUESTS);
      state = answer.state;
      leases += 1;
      return answer.lease;
    },
    { validator: (request) => refuse(leaseRequestProblem(request)) },
  );
  setHandler(throttledSignal, (message) => {
    const problem = throttledProblem(message);
    if (problem !== null) return log.warn(problem);
    change(throttled(look(), message));
  });
  setHandler(succeededSignal, (message = {}) => {
    change(succeeded(look(), message));
  });
  setHandler(needsPersonSignal, (stop) => {
    const problem = needsPersonProblem(stop);
    if (problem !== null) return log.warn(problem);
    look();
    change({ ...state, needsPerson: withPersonStop(state.needsPerson, state.seenMs, stop) });
  });
  setHandler(returnedSignal, (message) => {
    state = returned(look(), message);
  });
  setHandler(gatePauseSignal, () => {
    change({ ...look(), paused: true });
  });
  setHandler(gateResumeSignal, () => {
    change({ ...look(), paused: false, needsPerson: null });
  });
  setHandler(gateAdjustSignal, (wanted) => {
    const problem = adjustProblem(wanted);
    if (problem !== null) return log.warn(problem);
    change(adjusted(look(), wanted));
  });

  await condition(() => workflowInfo().continueAsNewSuggested || leases >= leasesOfRun);
  isEnding = true;
  await condition(allHandlersFinished);
  await continueAsNew<typeof providerGate>({ state, ...(Number.isFinite(leasesOfRun) ? { leasesOfRun } : {}) });
}

function refuse(problem: string | null): void {
  if (problem !== null) throw new Error(problem);
}
