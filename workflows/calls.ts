// The calls of one row: started, tracked, taken back on pause, and never left behind (design 2, rule 2).
import { CancellationScope, CancelledFailure } from '@temporalio/workflow';
import { providerOperationKey, resultReceiptKey } from '../contracts/keys';
import type { Json } from '../contracts/outcomes';
import type { ToolPlan } from '../contracts/plan';
import type { CallState, LedgerEntry, RowHolds } from '../contracts/results';
import { type CallEnd, type CallEnvironment, callTool, type RunningCall } from './call-tool';
import { ledgerEntry } from './row-outcome';
import { sha256 } from './sha256';

export interface Calls {
  /** Starts one call; resolves when it has truly ended. Throws CancelledFailure when the row is already cancelled. */
  call(column: string, tool: ToolPlan, input: Json): Promise<CallEnd>;
  /** Takes back calls that were not sent; they are dispatched again after a resume. */
  withdrawForPause(): void;
  /** Takes back what was not sent and waits for what was: a paid answer is not lost because a sibling threw. */
  settleAll(): Promise<void>;
  /** Ended calls, in the order in which they were started. */
  ledger(): LedgerEntry[];
  holds(): CallState[];
  /** True once settleAll has begun: cancelled activities must then let sent calls end. */
  isSettling(): boolean;
}

export function createCalls(environment: CallEnvironment): Calls {
  const running = new Map<RunningCall, { scope: CancellationScope; end: Promise<CallEnd> }>();
  const entries: (LedgerEntry | null)[] = [];
  const occurrences = new Map<string, number>();
  let settling = false;

  /** Equal calls of one row are told apart by their order, which replay keeps. */
  function receiptKeyOf(tool: ToolPlan, input: Json): string {
    const operation = providerOperationKey(
      { tool: tool.tool, toolVersion: tool.version, account: tool.account, input },
      sha256,
    );
    const occurrence = occurrences.get(operation) ?? 0;
    occurrences.set(operation, occurrence + 1);
    const scope = { runId: environment.plan.runId, rowIdentity: environment.rowIdentity, occurrence };
    return resultReceiptKey(operation, scope, sha256);
  }

  function call(column: string, tool: ToolPlan, input: Json): Promise<CallEnd> {
    if (settling || environment.isCancelled()) {
      return Promise.reject(new CancelledFailure('the row is ending, no call can start'));
    }
    const request = { column, tool, input, receiptKey: receiptKeyOf(tool, input) };
    const one: RunningCall = { request, state: { state: 'queued', sinceMs: Date.now() }, dispatchScope: null };
    const place = entries.push(null) - 1;
    const scope = new CancellationScope();
    const end = scope
      .run(() => callTool(one, environment))
      .then((ended) => {
        entries[place] = ledgerEntry(request, ended);
        running.delete(one);
        return ended;
      });
    end.catch(() => undefined); // a row program may drop the promise; the wrapper awaits it
    running.set(one, { scope, end });
    return end;
  }

  return {
    call,
    withdrawForPause() {
      for (const one of running.keys()) one.dispatchScope?.cancel();
    },
    async settleAll() {
      settling = true;
      const left = [...running.values()];
      for (const { scope } of left) scope.cancel();
      await CancellationScope.nonCancellable(() => Promise.allSettled(left.map(({ end }) => end)));
    },
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
