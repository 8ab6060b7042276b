// A gate and greedy workers on one clock: messages take their time or get lost, workers join, return, die, are cut off. Everything that is sent is logged.
import type { GateLimits, Lease } from '../../contracts/gate';
import { RENEWALS_PER_LEASE } from '../../contracts/limits';
import { hasNews, leaseFor } from '../../workflows/gate-lease';
import { atInstant, type GateState, heard, NEW_GATE, returned } from '../../workflows/gate-state';

export const STEP_MS = 50;
export const TTL_MS = 3000;

/** What happens to worker `worker` (from 0) at an instant. `cutOff`: its messages are lost for `lastsMs`. `stepBack`: the gate's clock, not the worker. */
export interface Happening {
  atMs: number;
  worker: number;
  kind: 'join' | 'die' | 'leave' | 'cutOff' | 'stepBack';
  lastsMs: number;
}

export interface SimulatedRun {
  limits: GateLimits;
  happenings: readonly Happening[];
  endMs: number;
  /** Time that one message takes, drawn for each. */
  delayMs(): number;
  /** State as it is carried to a next run of the workflow, now and then. */
  carry?(state: GateState): GateState;
}

interface Simulated {
  name: string;
  request: number;
  applied: Lease | null;
  /** On the worker's monotonic clock: from when the request left. */
  endsMs: number;
  nextRequestMs: number;
  sentMs: number[];
  gone: boolean;
  cutOffUntilMs: number;
}

interface Message {
  atMs: number;
  run(): void;
}

/** Instants at which anything was sent, by whomever. */
export function simulate({ limits, happenings, endMs, delayMs, carry = (state) => state }: SimulatedRun): number[] {
  let state = NEW_GATE;
  let stepMs = 0;
  let nowMs = 0;
  let messages: Message[] = [];
  const workers = new Map<number, Simulated>();
  const log: number[] = [];
  const look = () => {
    state = atInstant(carry(state), 1_000_000 + nowMs - stepMs);
  };
  const post = (run: () => void) => messages.push({ atMs: nowMs + delayMs(), run });
  const counts = (worker: Simulated) => ({ sent: worker.sentMs.length, succeeded: 0, throttled: 0 });

  function ask(worker: Simulated): void {
    const sentMs = nowMs;
    const { name, cutOffUntilMs } = worker;
    worker.request += 1;
    worker.nextRequestMs = nowMs + TTL_MS;
    const request = {
      worker: name,
      request: worker.request,
      applied: worker.applied?.number ?? 0,
      limits,
      ttlMs: TTL_MS,
      waitMs: TTL_MS / RENEWALS_PER_LEASE,
      inFlight: 0,
      counts: counts(worker),
    };
    if (nowMs < cutOffUntilMs) return;
    post(() => {
      look();
      state = heard(state, request);
      keep(nowMs + request.waitMs);
    });
    function keep(untilMs: number): void {
      look();
      if (nowMs < untilMs && !hasNews(state, name)) {
        messages.push({ atMs: nowMs + STEP_MS, run: () => keep(untilMs) });
        return;
      }
      const answer = leaseFor(heard(state, request), name, true);
      state = answer.state;
      post(() => {
        if (worker.request !== request.request || nowMs < worker.cutOffUntilMs) return;
        worker.applied = answer.lease;
        worker.endsMs = sentMs + TTL_MS;
        worker.nextRequestMs = nowMs + answer.lease.restMs;
      });
    }
  }

  function happen({ worker: place, kind, lastsMs }: Happening): void {
    const worker = workers.get(place);
    if (kind === 'stepBack') stepMs += lastsMs;
    if (kind === 'join' && (!worker || worker.gone)) {
      const name = `w${place}-${nowMs}`;
      const fresh = { name, request: 0, applied: null, endsMs: 0, nextRequestMs: nowMs, sentMs: [] };
      workers.set(place, { ...fresh, gone: false, cutOffUntilMs: 0 });
    }
    if (!worker) return;
    if (kind === 'cutOff') worker.cutOffUntilMs = nowMs + lastsMs;
    if (kind === 'die' || kind === 'leave') worker.gone = true;
    if (kind === 'leave') {
      const { name, request } = worker;
      const message = { worker: name, request, counts: counts(worker) };
      post(() => {
        look();
        state = returned(state, message);
      });
    }
  }

  function send(worker: Simulated): void {
    if (worker.gone || !worker.applied || nowMs >= worker.endsMs) return;
    const { share, allowance } = worker.applied;
    const fits = () =>
      (allowance === null || worker.sentMs.length < allowance) &&
      share.rate.every(({ limit, perMs }) => worker.sentMs.filter((atMs) => atMs > nowMs - perMs).length < limit);
    while (fits()) {
      worker.sentMs.push(nowMs);
      log.push(nowMs);
    }
  }

  for (nowMs = 0; nowMs < endMs; nowMs += STEP_MS) {
    const due = messages.filter(({ atMs }) => atMs <= nowMs);
    messages = messages.filter(({ atMs }) => atMs > nowMs);
    for (const { run } of due) run();
    for (const one of happenings) if (one.atMs > nowMs - STEP_MS && one.atMs <= nowMs) happen(one);
    for (const worker of workers.values()) {
      if (!worker.gone && nowMs >= worker.nextRequestMs) ask(worker);
      send(worker);
    }
  }
  return log;
}

/** Most that was sent in any span of `perMs`. */
export function mostIn(log: readonly number[], perMs: number): number {
  let most = 0;
  let from = 0;
  for (const [at, atMs] of log.entries()) {
    while ((log[from] ?? 0) <= atMs - perMs) from += 1;
    most = Math.max(most, at - from + 1);
  }
  return most;
}
