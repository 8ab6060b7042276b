// From the steps of a row to its story: each call with its attempts, holds, billing ids, receipt, and why it was bought or not. Pure. Long, since every part of a call's story is read from the same steps.
import { type JobFacts, jobFacts } from '../../contracts/job';
import { canonicalJson } from '../../contracts/keys';
import { SHOWN_STEPS } from '../../contracts/limits';
import { type Billing, FIRST_CURSOR, type Receipt, type Resolved } from '../../contracts/outcomes';
import type { RowPlan } from '../../contracts/plan';
import { isUnrepeatable } from '../../contracts/repeatable';
import type { LedgerEntry, RowOutcome, RowStatus } from '../../contracts/results';
import { rowLabel } from '../../contracts/row-label';
import type { Settlement } from '../../contracts/settlement';
import type { DispatchStep, JoinStep, RowEvents, SharedEvents } from './row-events';

/** One thing that happened to a call, at an instant of the server's clock. */
export interface StoryStep {
  atMs: number;
  /** `held`: waits until `untilMs`. `lost`: its worker did not answer. `taken_back`: by a pause or a cancel, not sent. */
  what: 'answered' | 'missed' | 'held' | 'refused' | 'unknown' | 'lost' | 'failed' | 'taken_back';
  queuedMs: number;
  reason?: string;
  scope?: string;
  untilMs?: number;
  status?: number;
  detail?: string;
  billing?: Billing;
}

type Ended = Pick<LedgerEntry, 'status'> &
  Partial<Pick<LedgerEntry, 'code' | 'message' | 'billing' | 'charged' | 'receipt' | 'attempts' | 'resolved' | 'job'>>;

/** `jo@host at 2026-06-01T12:00:00.000Z (the invoice says so)`. */
export const saidBy = ({ by, atMs, reason }: Resolved): string =>
  `${by} at ${new Date(atMs).toISOString()}${reason === undefined ? '' : ` (${reason})`}`;

export interface SharedStory {
  /** Workflow that is the receipt, and its run. */
  callId: string;
  runId: string | null;
  /** Map whose row asked first. */
  firstAskedBy: string | null;
  askedAtMs: number;
  startedAtMs: number | null;
}

export interface CallStory {
  column: string;
  tool: string;
  account: string;
  toolVersion: string;
  /** JSON of the input, as it was sent to be filled into the request; empty for an answer that a redrive took over. */
  input: string;
  state: LedgerEntry['status'] | 'under way';
  attempts: number;
  billingNumber: number;
  steps: StoryStep[];
  /** Steps left out between the first and the last ones. */
  omittedSteps: number;
  receipt: Receipt | null;
  /** The job that was started for it, as it was last told. */
  job: JobFacts | null;
  /** The call that bought, or buys, the answer for whoever asks the same; its steps are shown. Null for a call of this row alone. */
  shared: SharedStory | null;
  /** Why it was bought, or why not. */
  why: string;
  error: { code: string; message: string } | null;
  /** Requests that may have been charged without an answer that tells so. */
  openBilling: Billing | null;
  /** What a person said of an unknown call; `pending` while no worker has checked it. */
  settlement: Omit<Settlement, 'end'> | 'pending' | null;
}

export interface RowStory {
  mapId: string;
  identity: string;
  /** The values of its key, or its line. */
  label: string;
  line: number;
  status: RowStatus | 'open' | 'ended by hand';
  startedAtMs: number;
  endedAtMs: number | null;
  skipped: string[];
  error: RowOutcome['error'] | null;
  calls: CallStory[];
}

const step = ({ queuedAtMs, end }: DispatchStep): StoryStep | null => {
  if (!end) return null;
  const base = { atMs: end.atMs, queuedMs: end.atMs - queuedAtMs };
  if (end.kind === 'lost') return { ...base, what: 'lost', ...(end.mark ? { billing: end.mark } : {}) };
  if (end.kind === 'failed') return { ...base, what: 'failed', detail: end.message };
  if (end.kind === 'taken_back') return { ...base, what: 'taken_back' };
  const { outcome } = end;
  switch (outcome.kind) {
    case 'completed':
    case 'missed': {
      const { billing, status } = outcome.receipt;
      const what = outcome.kind === 'missed' ? 'missed' : 'answered';
      return { ...base, what, billing, ...(status === null ? {} : { status }) };
    }
    case 'hold': {
      const { reason, scope, retryAtMs: untilMs, status, detail, billing } = outcome;
      const told = { ...(status === undefined ? {} : { status }), ...(detail === undefined ? {} : { detail }) };
      return { ...base, what: 'held', reason, scope, untilMs, ...told, ...(billing ? { billing } : {}) };
    }
    case 'withdrawn':
      return { ...base, what: 'taken_back', ...(outcome.billing ? { billing: outcome.billing } : {}) };
    default: {
      const { kind, code, message, billing } = outcome;
      const what = kind === 'unknown' ? 'unknown' : 'refused';
      return { ...base, what, reason: code, detail: message, ...(billing ? { billing } : {}) };
    }
  }
};

/** The first and the last ones: a call may be held for weeks. */
function bounded(steps: StoryStep[]): Pick<CallStory, 'steps' | 'omittedSteps'> {
  if (steps.length <= SHOWN_STEPS) return { steps, omittedSteps: 0 };
  const half = SHOWN_STEPS / 2;
  return { steps: [...steps.slice(0, half), ...steps.slice(-half)], omittedSteps: steps.length - SHOWN_STEPS };
}

function whyOf(entry: Ended | null, receipt: Receipt | null): string {
  if (receipt?.resolved) return `not bought here: the answer was given by ${saidBy(receipt.resolved)}`;
  if (entry?.resolved) return `not bought: settled as failed by ${saidBy(entry.resolved)}`;
  if (receipt) {
    if (receipt.how === 'reused') return 'not bought: an earlier call had this answer already';
    if (receipt.how === 'attached') return 'not bought by this row: another one was buying the same answer';
    return receipt.price > 0 || entry?.status === 'missed'
      ? 'bought by this row: there was no earlier answer that it may use'
      : 'asked by this row; the answer is free';
  }
  if (!entry) return 'not decided yet';
  if (entry.status === 'unknown') return 'may have been bought: nobody knows, so it is never bought again by itself';
  if (entry.charged) return `charged ${entry.charged} without a result`;
  if (entry.status === 'cancelled' && entry.billing) return 'may have been bought; under its key it is charged once';
  return 'not bought';
}

/** How a call of an ended row ended that is in no ledger here: the row's outcome was so large that it lies in the run store. */
function endedAs({ input, end }: DispatchStep, { tools }: RowPlan): Ended {
  if (end?.kind === 'lost' && end.mark) {
    const plan = tools[`${input.tool}@${input.account}`];
    if (plan && isUnrepeatable(plan)) return { status: 'unknown', code: 'WORKER_LOST', billing: end.mark };
  }
  if (end?.kind !== 'outcome') return { status: end?.kind === 'taken_back' ? 'cancelled' : 'failed' };
  const { outcome } = end;
  if (outcome.kind === 'completed') return { status: 'done' };
  if (outcome.kind === 'missed') return { status: 'missed' };
  const billing = outcome.billing ? { billing: outcome.billing } : {};
  if (outcome.kind === 'hold' || outcome.kind === 'withdrawn') return { status: 'cancelled', ...billing };
  const { code, message } = outcome;
  return { status: outcome.kind === 'unknown' ? 'unknown' : 'failed', code, message, ...billing };
}

/** A later run of the call has its job from the one before. */
function jobOf(dispatches: DispatchStep[]): JobFacts | null {
  const told = dispatches.flatMap(({ input, end }) => {
    const answered = end?.kind === 'outcome' && end.outcome.kind === 'hold' ? end.outcome.job : undefined;
    return answered ?? input.job ?? [];
  });
  const last = told.at(-1);
  return last ? jobFacts(last) : null;
}

type About = Pick<CallStory, 'column' | 'tool' | 'account' | 'toolVersion' | 'input' | 'shared'>;

function callStory(about: About, dispatches: DispatchStep[], entry: Ended | null): CallStory {
  const outcomes = dispatches.flatMap(({ end }) => (end?.kind === 'outcome' ? end.outcome : []));
  const steps = dispatches.flatMap((one) => step(one) ?? []);
  const last = outcomes.at(-1);
  // The ledger's first: of a shared answer it tells how this row came to it.
  const receipt = entry?.receipt ?? (last && 'receipt' in last ? last.receipt : null);
  const error = entry?.code ? { code: entry.code, message: entry.message ?? '' } : null;
  const cursor = last?.cursor ?? dispatches.at(-1)?.input.cursor ?? FIRST_CURSOR;
  return {
    ...about,
    state: entry?.status ?? 'under way',
    attempts: entry?.attempts ?? cursor.invocationAttempt,
    billingNumber: cursor.billingNumber,
    ...bounded(steps),
    receipt,
    job: entry?.job ?? jobOf(dispatches),
    why: whyOf(entry, receipt),
    error,
    openBilling: receipt ? null : (entry?.billing ?? steps.findLast(({ billing }) => billing)?.billing ?? null),
    settlement: null,
  };
}

/** Equal calls of a row have a number of their own; the ledger has them in the order in which they were started. */
function byCall(dispatches: readonly DispatchStep[]): DispatchStep[][] {
  const calls = new Map<string, DispatchStep[]>();
  for (const one of dispatches) {
    const { column, tool, account, occurrence, input } = one.input;
    const key = canonicalJson([column, tool, account, occurrence, input]);
    calls.set(key, [...(calls.get(key) ?? []), one]);
  }
  return [...calls.values()];
}

/** Calls of this row alone. Each takes its line out of the ledger. */
function ownCalls({ plan, dispatches, ended }: RowEvents, ledger: LedgerEntry[]): CallStory[] {
  return byCall(dispatches).map((one) => {
    const { column, tool, account, toolVersion, input } = (one[0] as DispatchStep).input;
    const at = ledger.findIndex((entry) => entry.column === column && entry.tool === tool && entry.account === account);
    const [entry] = at < 0 ? [] : ledger.splice(at, 1);
    const about = { column, tool, account, toolVersion, input: JSON.stringify(input), shared: null };
    return callStory(about, one, entry ?? (ended ? endedAs(one.at(-1) as DispatchStep, plan) : null));
  });
}

/** A call whose answer is shared: what was done for it is in the history of the shared call, if the server still has it. */
function sharedCall(
  { joinedAtMs, callId, input: { tool, input } }: JoinStep,
  found: SharedEvents | null,
  entry: LedgerEntry | null,
) {
  const shared = callId && {
    callId,
    runId: found?.runId ?? null,
    firstAskedBy: found?.firstAskedBy ?? null,
    askedAtMs: joinedAtMs,
    startedAtMs: found?.startedAtMs ?? null,
  };
  const { account, version: toolVersion } = tool;
  // Only the ledger knows the column: a row asks by the number of its call.
  const about = { column: entry?.column ?? '', tool: tool.tool, account, toolVersion, input: JSON.stringify(input) };
  return callStory({ ...about, shared: shared || null }, found?.dispatches ?? [], entry);
}

/** A line of the ledger without any step: a redrive took the answer over. The input stays with the map that bought it. */
function keptCall(entry: LedgerEntry): CallStory {
  const { column, tool, account, receipt, resolved } = entry;
  const about = { column, tool, account, toolVersion: receipt?.toolVersion ?? '', input: '', shared: null };
  const story = callStory(about, [], entry);
  if (receipt?.resolved || resolved) return story;
  return { ...story, why: 'not bought: the map that this one goes on with had the answer' };
}

/** What people call the row: its label, and its line unless that is the label. */
export const rowNames = ({ label, line }: Pick<RowStory, 'label' | 'line'>): string[] => [
  ...new Set([label, `line ${line}`]),
];

/** `shared`: the shared calls that the row asked for, by their ids. `column`: only its calls. */
export function rowStory(
  mapId: string,
  events: RowEvents,
  shared: ReadonlyMap<string, SharedEvents | null>,
  column?: string,
): RowStory {
  const { plan, row, startedAtMs, joins, ended } = events;
  const result = ended?.result ?? null;
  const outcome = result && !('stored' in result) ? result : null;
  const ledger = outcome?.ledger ?? [];
  const joined = [...joins].map(([number, join]) =>
    sharedCall(join, shared.get(join.callId ?? '') ?? null, ledger[number] ?? null),
  );
  const rest = ledger.filter((_, number) => !joins.has(number));
  const own = ownCalls(events, rest);
  const calls = [...joined, ...own, ...rest.map(keptCall)];
  return {
    mapId,
    identity: row.identity,
    label: rowLabel(row, plan.key),
    line: row.line,
    status: result?.status ?? (ended ? 'ended by hand' : 'open'),
    startedAtMs,
    endedAtMs: ended?.atMs ?? null,
    skipped: (outcome?.skipped ?? []).filter((name) => column === undefined || name === column),
    error: outcome?.error ?? null,
    calls: calls.filter((call) => column === undefined || call.column === column),
  };
}
