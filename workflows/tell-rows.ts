// How a shared call tells its rows: the first one counts the purchase, then batches that one workflow task can carry.
import { getExternalWorkflowHandle } from '@temporalio/workflow';
import { TELL_BYTES, TELL_ROWS } from '../contracts/limits';
import {
  type CallAnswer,
  endForOthers,
  type SharedCallInput,
  type SharedEnd,
  type Waiter,
} from '../contracts/shared-call';
import { answerSignal } from './messages';
import type { WaitingRows } from './waiting-rows';

/** False when the row has ended meanwhile. */
export async function answerRow({ workflowId, runId }: Waiter, answer: CallAnswer): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(workflowId, runId).signal(answerSignal, answer);
    return true;
  } catch {
    return false;
  }
}

const batchSize = (end: SharedEnd): number =>
  Math.max(1, Math.min(TELL_ROWS, Math.floor(TELL_BYTES / JSON.stringify(end).length)));

type Ended = NonNullable<SharedCallInput['ended']>;

/** Tells one batch of rows; the answer says whether one of them, or an earlier one, counts the purchase. */
export async function tellRows(rows: WaitingRows, { end, isClaimed }: Ended): Promise<Ended> {
  const others = endForOthers(end, 'attached');
  const batch = rows.take(isClaimed ? batchSize(others) : 1);
  const told = await Promise.all(
    batch.map((waiter) => answerRow(waiter, { call: waiter.call, end: isClaimed ? others : end })),
  );
  return { end, isClaimed: isClaimed || told.includes(true) };
}
