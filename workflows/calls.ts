// The calls of one row: started, tracked, taken back on pause, and never left behind (design 2, rule 2).
import { CancelledFailure } from '@temporalio/workflow';
import { isForced } from '../contracts/force';
import { canonicalJson } from '../contracts/keys';
import type { Json } from '../contracts/outcomes';
import type { RowPlan, ToolPlan } from '../contracts/plan';
import type { CallState, LedgerEntry, RowHolds } from '../contracts/results';
import { type CallAnswer, type CallProgress, firstProgress } from '../contracts/shared-call';
import { looksStored } from '../contracts/stored-value';
import { type CallEnd, type CallEnvironment, type CallRequest, callTool, type RunningCall } from './call-tool';
import { acceptWord, joinSharedCall, type Mailbox } from './join-shared-call';
import type { KeptAnswers } from './kept-answers';
import { ledgerEntry } from './row-outcome';

export interface CallOptions {
  /** Overrides the tool's own. */
  maxAgeSeconds?: number;
}

/** What the row lends to its calls. */
export type RowEnvironment = CallEnvironment & { plan: RowPlan };

export interface Calls {
  /** Starts one call; resolves when it has truly ended. Throws CancelledFailure when the row is already cancelled. */
  call(column: string, tool: ToolPlan, input: Json, options?: CallOptions): Promise<CallEnd>;
  /** Takes in what a shared call says to one of these calls. */
  accept(answer: CallAnswer): void;
  /** Takes back calls that were not sent; they are dispatched again after a resume. */
  withdrawForPause(): void;
  /** Reaches calls too that a program started in a scope of its own, which a cancel of the row does not enter. */
  withdrawForCancel(): void;
  /** Takes back what was not sent and waits for what was: a paid answer is not lost because a sibling threw. */
  settleAll(): Promise<void>;
  /** Digests of answers that went to the run store: what else looks like a reference is none. */
  storedDigests(): Set<string>;
  /** Ended calls, in the order in which they were started. */
  ledger(): LedgerEntry[];
  holds(): CallState[];
  /** True once settleAll has begun: cancelled activities must then let sent calls end. */
  isSettling(): boolean;
}

export function createCalls(environment: RowEnvironment): Calls {
  const running = new Map<RunningCall, Promise<CallEnd>>();
  const entries: (LedgerEntry | null)[] = [];
  const occurrences = new Map<string, number>();
  const mailbox: Mailbox = new Map();
  const stored = new Set<string>();
  let settling = false;

  /** Equal calls of one row are told apart by their order, which replay keeps. No digest here: hashing is the activity's work. */
  function occurrenceOf(tool: ToolPlan, input: Json): number {
    const call = `${tool.tool}@${tool.account} ${canonicalJson(input)}`;
    const occurrence = occurrences.get(call) ?? 0;
    occurrences.set(call, occurrence + 1);
    return occurrence;
  }

  const make = (one: RunningCall, place: number, progress?: CallProgress): Promise<CallEnd> =>
    one.request.tool.share === 'all' || one.request.tool.job
      ? joinSharedCall(one, place, environment, mailbox)
      : callTool(one, environment, progress);

  async function takeOrMake(one: RunningCall, place: number, kept: KeptAnswers): Promise<CallEnd> {
    const end = await kept.take(one.request);
    return end ?? make(one, place, { ...firstProgress(), cursor: kept.firstCursor(one.request) });
  }

  async function run(one: RunningCall, place: number): Promise<CallEnd> {
    // A row without an earlier life takes no step more than it did in older versions, whose histories are replayed.
    const { kept } = environment;
    const ended = await (kept ? takeOrMake(one, place, kept) : make(one, place));
    if (ended.kind === 'completed' && looksStored(ended.value)) stored.add(ended.value.$stored.digest);
    entries[place] = ledgerEntry(one.request, ended);
    running.delete(one);
    return ended;
  }

  /** Instants are fixed when the call begins: a repeated join must find what the first one bought. */
  function wishesOf(column: string, tool: ToolPlan, maxAgeSeconds = tool.maxAgeSeconds): Partial<CallRequest> {
    const { plan, rowIdentity } = environment;
    const forced = isForced(plan.force, { column, row: rowIdentity, tool: tool.tool });
    return {
      ...(maxAgeSeconds === undefined ? {} : { freshFromMs: Date.now() - maxAgeSeconds * 1000 }),
      ...(forced ? { forcedBy: plan.runId } : {}),
    };
  }

  function call(column: string, tool: ToolPlan, input: Json, { maxAgeSeconds }: CallOptions = {}): Promise<CallEnd> {
    if (settling || environment.isCancelled()) {
      return Promise.reject(new CancelledFailure('the row is ending, no call can start'));
    }
    const occurrence = occurrenceOf(tool, input);
    const request: CallRequest = { column, tool, input, occurrence, ...wishesOf(column, tool, maxAgeSeconds) };
    const state = { state: 'queued', sinceMs: Date.now() } as const;
    const one: RunningCall = { request, state, step: null, isEnding: false };
    const end = run(one, entries.push(null) - 1);
    end.catch(() => undefined); // a row program may drop the promise; the wrapper awaits it
    running.set(one, end);
    return end;
  }

  return {
    call,
    accept(answer) {
      acceptWord(mailbox, answer);
    },
    withdrawForPause() {
      for (const one of running.keys()) if (one.state.state === 'queued') one.step?.cancel();
    },
    withdrawForCancel() {
      for (const one of running.keys()) one.step?.cancel();
    },
    async settleAll() {
      settling = true;
      if (running.size === 0) return;
      for (const one of running.keys()) {
        one.isEnding = true;
        one.step?.cancel();
      }
      await Promise.allSettled(running.values());
    },
    storedDigests: () => new Set(stored),
    ledger: () => entries.filter((entry) => entry !== null),
    holds: () =>
      [...running.keys()].map(({ request: { column, tool }, state }) => ({
        column,
        tool: tool.tool,
        provider: tool.provider,
        account: tool.account,
        ...state,
      })),
    isSettling: () => settling,
  };
}

/** What a cancelled activity of the row should do with a call that it has sent. */
export function controlOf(flags: { cancelled: boolean; settling: boolean; paused: boolean }): RowHolds['control'] {
  if (flags.cancelled) return 'cancel';
  return flags.settling || flags.paused ? 'finish' : 'run';
}
