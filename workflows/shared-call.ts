// One bought answer for every row that asks the same: the call, the rows that wait for it, and as its result the receipt that later rows read.
import { ApplicationFailure, CancellationScope, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow';
import { takenOver, uncounted } from '../contracts/job';
import { HAND_ON_BYTES, HAND_ON_JOINS, HAND_ON_JOINS_UNDER_WAY } from '../contracts/limits';
import {
  type CallAnswer,
  type EndedCall,
  firstProgress,
  type Leaver,
  type SharedCallInput,
  type SharedEnd,
  type Waiter,
} from '../contracts/shared-call';
import { type CallEnvironment, callTool, type RunningCall } from './call-tool';
import { controlOf } from './calls';
import { afterGivingUp, giveUpJob, leftOf } from './job-progress';
import { attachSignal, detachSignal, rowHoldsQuery } from './messages';
import { answerRow, tellRows } from './tell-rows';
import { WaitingRows } from './waiting-rows';

const FINISH = { cancelled: false, settling: true, paused: false };

/** `left`: where a new try of the call goes on. */
const failed = (message: string, type: string, left: EndedCall): ApplicationFailure =>
  ApplicationFailure.create({ message, type, nonRetryable: true, details: [left] });

async function run(input: SharedCallInput): Promise<SharedEnd> {
  const { tool, timing, mapId, keys, joinsPerRun = HAND_ON_JOINS, handOnBytes = HAND_ON_BYTES } = input;
  const { workflowId, runId } = workflowInfo();
  const rows = new WaitingRows(input.waiters, input.leaving);
  const progress = input.progress ?? firstProgress();
  const replies = new Set<Promise<unknown>>();
  let call: RunningCall | null = null;
  let ended = input.ended ?? null;

  /** Joins are events of this run, and of a request under way no other run can hear. */
  function isFull(): boolean {
    const limit = call?.state.state === 'queued' ? HAND_ON_JOINS_UNDER_WAY : joinsPerRun;
    return rows.joins >= limit || workflowInfo().continueAsNewSuggested;
  }

  /** Ends this run for the next one; never returns. It waits for replies under way, of which the next one knows nothing, and for those that are begun meanwhile. */
  async function handOn(): Promise<never> {
    while (replies.size > 0) await Promise.all(replies);
    const call = { tool, timing, mapId, keys, joinsPerRun, handOnBytes, input: input.input, progress };
    const rest = { ...call, ...(ended ? { ended } : {}) };
    const { length } = new TextEncoder().encode(JSON.stringify(rest));
    return continueAsNew<(next: SharedCallInput) => Promise<SharedEnd>>({
      ...rest,
      ...rows.handedOn(handOnBytes - length),
    });
  }

  function reply(waiter: Waiter, answer: CallAnswer): Promise<boolean> {
    const sent = answerRow(waiter, answer).finally(() => replies.delete(sent));
    replies.add(sent);
    return sent;
  }

  /**
   * Rows that keep a job which runs stay, all others go. When nobody stays the first one to go counts what the job's start cost:
   * there will be no end that tells it. One that has gone already counts nothing.
   */
  function letGo(): void {
    const leaving = rows.takeLeaving();
    for (const leaver of leaving) if (progress.job && leaver.keeps) stay(leaver);
    for (const leaver of leaving) {
      if (progress.job && leaver.keeps) continue;
      const { job } = progress;
      const isLast = rows.size === 0 && job !== undefined;
      const told = reply(leaver, { call: leaver.call, left: true, ...(isLast ? { job } : {}) });
      if (!isLast) continue;
      progress.job = takenOver(job);
      if (!job.isCounted) void told.then((isTold) => isTold || countLater());
    }
  }

  function countLater(): void {
    if (progress.job) progress.job = uncounted(progress.job);
  }

  function stay({ keeps: _, ...waiter }: Leaver): void {
    rows.keep(waiter);
    void reply(waiter, { call: waiter.call, stays: true });
  }

  setHandler(attachSignal, (waiter) => {
    rows.attach(waiter);
    if (isFull()) call?.step?.cancel();
  });
  setHandler(detachSignal, (leaver) => {
    if (!ended && leaver.keeps && progress.job) return stay(leaver);
    rows.detach(leaver);
    if (ended) return; // hears of the end like all others
    if (rows.size > 0) letGo();
    else call?.step?.cancel();
  });
  setHandler(rowHoldsQuery, () => ({
    // A request that was sent may end, whatever its dispatch was cancelled for: the answer is paid for.
    control: controlOf(FINISH),
    calls: call ? [{ column: '', tool: tool.tool, provider: tool.provider, account: tool.account, ...call.state }] : [],
  }));

  async function buy(): Promise<SharedEnd> {
    const environment: CallEnvironment = {
      plan: { mapId, runId, timing },
      rowIdentity: '',
      row: { workflowId, runId },
      keys,
      isPaused: () => false,
      isCancelled: () => rows.size === 0,
      atRest: async () => (isFull() ? handOn() : undefined),
    };
    for (;;) {
      if (progress.job?.phase === 'cancelling') {
        await tellProvider({ ...environment, isCancelled: () => false });
        letGo();
      } else {
        const end = await callTool(newCall(), environment, progress);
        if (end.kind !== 'cancelled') return end;
        letGo();
        await Promise.all(replies);
        if (rows.size === 0 && progress.job && tool.job?.canCancel) {
          giveUpJob(progress, progress.job);
          continue;
        }
      }
      await Promise.all(replies);
      // A row may have joined while the last one left.
      if (rows.size > 0) continue;
      throw failed('no row waits for this call any more', 'CALL_WITHDRAWN', leftOf(progress, false));
    }
  }

  function newCall(): RunningCall {
    const request = { column: '', tool, input: input.input, occurrence: 0 };
    call = { request, state: { state: 'queued', sinceMs: Date.now() }, step: null, isEnding: false };
    return call;
  }

  /** Nobody wants the job any more: its provider is told, through its queue and its gate like anything else. */
  async function tellProvider(environment: CallEnvironment): Promise<void> {
    afterGivingUp(progress, await callTool(newCall(), environment, progress));
  }

  ended ??= { end: await buy(), isClaimed: false };
  call = null;
  for (;;) {
    ended = await tellRows(rows, ended);
    await Promise.all(replies);
    if (rows.isEmpty) break;
    if (isFull()) await handOn();
  }
  const { end, isClaimed } = ended;
  if (end.kind !== 'rejected') return end;
  throw failed(end.message, end.code, leftOf({ ...progress, cursor: end.cursor }, isClaimed));
}

/**
 * The shared call of one tool, version, account and input. Completes with its receipt, `unknown` ones too; fails with
 * {@link EndedCall} when the provider refused, so that it may be bought again under its id. A cancel is ignored: rows that
 * wait would only ask again, and an answer under way is paid for. It ends by itself when no row waits and nothing was sent.
 */
export const sharedCall = (input: SharedCallInput): Promise<SharedEnd> =>
  CancellationScope.nonCancellable(() => run(input));
