// What each provider is doing: its gate's word on closings and pauses, and who holds and queues, read off the rows that wait.
import type { HoldReason } from '../contracts/outcomes';
import type { CallState, OpenRow } from '../contracts/results';
import { gateFacts } from './gates/gate-facts';
import type { GateAnswer, NamedGate } from './gates/read-gates';
import { type HoldsBook, isFresh, waitingRows } from './holds-book';

export interface ProviderActivity {
  /** `<provider>.<account>`. */
  provider: string;
  /** What the shared gate says; null = it was not asked. */
  gate: GateAnswer | null;
  /** The later one of the gate's closing and of what held rows were told; null = open. */
  closedUntilMs: number | null;
  reason: HoldReason | null;
  /** Rows with a call in each state; a row with two calls of one provider counts once a state. */
  held: number;
  queued: number;
  paused: number;
  /** Rows that wait for this provider: of several providers those that told so, of a single one all that wait. */
  waiting: number;
  /** Since when the oldest of the queued calls is in the queue or being sent. */
  queuedSinceMs: number | null;
  /** Among the held ones: rows that wait for themselves alone, why, and when the first of them goes on. */
  heldAlone: number;
  aloneReasons: HoldReason[];
  firstAloneAtMs: number | null;
  /** False when no live worker serves its queue; null when that cannot be told. */
  served: boolean | null;
}

/** How much of the picture is known: rows that answered, of the rows that wait. */
export interface Asked {
  answered: number;
  waiting: number;
}

/** Reasons that say something about the row or the worker, not about the provider. */
const OWN_REASONS: readonly (HoldReason | undefined)[] = [
  'row_locked',
  'job_running',
  'transient',
  'worker_shutdown',
  'run_store',
  'tool_unknown',
  'tool_changed',
];

const closesProvider = (call: CallState): boolean =>
  call.state === 'hold' && call.scope !== 'row' && !OWN_REASONS.includes(call.reason);

/** What is known beside the rows. `providers`: all that the map uses. `unserved`: null when workers could not be listed. */
export interface ProviderFacts {
  providers: readonly string[];
  gates: readonly NamedGate[];
  unserved: readonly string[] | null;
}

/** One entry a provider of the map, and one for each other that a row names. */
export function providerActivity(
  { providers, gates, unserved }: ProviderFacts,
  open: readonly OpenRow[],
  book: HoldsBook,
  nowMs: number,
): { activity: ProviderActivity[]; asked: Asked } {
  const waiting = waitingRows(open, nowMs);
  const answers = waiting.flatMap((row) => book.get(row.workflowId) ?? []).filter((answer) => isFresh(answer, nowMs));
  const rows = answers.map((answer) => answer.holds.calls);
  const names = new Set([...providers, ...rows.flat().map(nameOf)]);
  const activity = [...names].sort().map((provider) => {
    const calls = rows.map((all) => all.filter((call) => nameOf(call) === provider));
    const waits = calls.filter((own) => own.length > 0).length;
    return withGate(
      {
        ...describeProvider(provider, calls, nowMs),
        waiting: names.size === 1 ? waiting.length : waits,
        served: unserved === null ? null : !unserved.includes(provider),
        gate: null,
      },
      gates.find(({ gate }) => gate === provider)?.answer ?? null,
      nowMs,
    );
  });
  return { activity, asked: { answered: answers.length, waiting: waiting.length } };
}

function withGate(activity: ProviderActivity, gate: GateAnswer | null, nowMs: number): ProviderActivity {
  if (gate?.kind !== 'status') return { ...activity, gate };
  const untilMs = gateFacts(gate.status, nowMs).closedUntilMs;
  if (untilMs === null || untilMs < (activity.closedUntilMs ?? 0)) return { ...activity, gate };
  return { ...activity, gate, closedUntilMs: untilMs, reason: gate.status.reason };
}

const nameOf = (call: CallState): string => `${call.provider}.${call.account}`;

type OwnFigures = Omit<ProviderActivity, 'served' | 'gate' | 'waiting'>;

/** `rows`: for each row its calls of this provider. */
function describeProvider(provider: string, rows: CallState[][], nowMs: number): OwnFigures {
  const inState = (state: CallState['state']) =>
    rows.filter((calls) => calls.some((call) => call.state === state)).length;
  const closing = rows.flat().filter((call) => closesProvider(call) && (call.retryAtMs ?? 0) > nowMs);
  const last = closing.reduce<CallState | null>(
    (a, b) => (a && (a.retryAtMs ?? 0) >= (b.retryAtMs ?? 0) ? a : b),
    null,
  );
  const alone = rows.filter((calls) => calls.some((call) => call.state === 'hold') && !calls.some(closesProvider));
  const queuedSince = rows.flat().flatMap((call) => (call.state === 'queued' ? [call.sinceMs] : []));
  const aloneAt = alone.flat().flatMap((call) => call.retryAtMs ?? []);
  return {
    provider,
    closedUntilMs: last?.retryAtMs ?? null,
    reason: tellingReason(closing, last),
    held: inState('hold'),
    queued: inState('queued'),
    paused: inState('paused'),
    queuedSinceMs: earliest(queuedSince),
    heldAlone: alone.length,
    aloneReasons: [...new Set(alone.flat().flatMap((call) => call.reason ?? []))].sort(),
    firstAloneAtMs: earliest(aloneAt),
  };
}

const earliest = (instants: readonly number[]): number | null => (instants.length > 0 ? Math.min(...instants) : null);

/** `gate_closed` only repeats that it is closed; the row that met the refusal knows why. */
function tellingReason(closing: readonly CallState[], last: CallState | null): HoldReason | null {
  const reasons = closing.flatMap((call) => call.reason ?? []);
  return reasons.find((reason) => reason !== 'gate_closed' && reason !== 'pacing') ?? last?.reason ?? null;
}
