// The activities that workflows ask for, and with which options; activities/ builds them, neither imports the other.
import type { ActivityInterfaceFor } from '@temporalio/workflow';
import { ActivityCancellationType, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type {
  AdmitInput,
  EvaluateInput,
  Evaluation,
  ExportInput,
  FinishInput,
  FinishResult,
  PageRef,
  PageRows,
  StoreRowResultInput,
  StoreValueInput,
  WriteResultsInput,
} from '../contracts/activity-io';
import type { ExportResult } from '../contracts/export';
import {
  EVALUATE_WITHIN_MS,
  LOCAL_ACTIVITY_TIMEOUT_MS,
  RESIDENT_BUDGET_MS,
  STORE_RETRY_MAX_MS,
  TRANSIENT_ATTEMPTS,
} from '../contracts/limits';
import { MAIN_TASK_QUEUE } from '../contracts/names';
import type { CallOutcome, DispatchInput, Json, StoredValue } from '../contracts/outcomes';
import type { Admission, Timing, ToolPlan } from '../contracts/plan';
import type { SettleCallInput, Settlement } from '../contracts/settlement';
import type { JoinAnswer, JoinInput } from '../contracts/shared-call';

/** Activities of the main task queue. All are idempotent: the engine retries them until they succeed or refuse for good. */
export interface MapActivities {
  admitMap(input: AdmitInput): Promise<Admission>;
  readPage(input: PageRef): Promise<PageRows>;
  writeResults(input: WriteResultsInput): Promise<void>;
  storeRowResult(input: StoreRowResultInput): Promise<StoredValue>;
  storeValue(input: StoreValueInput): Promise<StoredValue>;
  /** sha256 of a call's input, as receipts have it. */
  digestInput(input: { input: Json }): Promise<string>;
  /** Result of an earlier child, awaited. */
  readWorkflowResult(input: { workflowId: string }): Promise<unknown>;
  /** Joins the shared call of this tool and input, started when there is none; or reads its receipt. */
  joinCall(input: JoinInput): Promise<JoinAnswer>;
  /** Checks what a person says of a call against its tool. Refuses for good with SETTLEMENT_REFUSED. */
  settleCall(input: SettleCallInput): Promise<Settlement>;
  finishMap(input: FinishInput): Promise<FinishResult>;
  exportMap(input: ExportInput): Promise<ExportResult>;
}

interface CallActivities {
  dispatch(input: DispatchInput): Promise<CallOutcome>;
}

/** Proxies of the main queue. A full disk or a store that is away is retried, with the error shown, until someone mends it. */
export function mapActivities(heartbeatTimeoutMs: number): ActivityInterfaceFor<MapActivities> {
  return proxyActivities<MapActivities>({
    taskQueue: MAIN_TASK_QUEUE,
    startToCloseTimeout: LOCAL_ACTIVITY_TIMEOUT_MS,
    heartbeatTimeout: heartbeatTimeoutMs,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: STORE_RETRY_MAX_MS },
  });
}

interface ExpressionActivities {
  evaluateExpression(input: EvaluateInput): Promise<Evaluation>;
}

/** Evaluates an expression outside of workflow code. A local activity: it costs one event of history and no task of its own. */
export function evaluateApart(input: EvaluateInput): Promise<Evaluation> {
  const { evaluateExpression } = proxyLocalActivities<ExpressionActivities>({
    startToCloseTimeout: EVALUATE_WITHIN_MS,
    retry: { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: STORE_RETRY_MAX_MS },
  });
  return evaluateExpression(input);
}

/**
 * Sends one call to its provider's task queue. `maximumAttempts` is 1 because retrying is the call loop's work, and no
 * scheduleToStart limit is set because waiting in the queue is normal; only a job's deadline sets `queueLimitMs`. The run time
 * covers every attempt that may stay inside.
 */
export function dispatchCall(
  input: DispatchInput,
  tool: ToolPlan,
  timing: Timing,
  queueLimitMs?: number,
): Promise<CallOutcome> {
  const { dispatch } = proxyActivities<CallActivities>({
    taskQueue: tool.taskQueue,
    startToCloseTimeout:
      TRANSIENT_ATTEMPTS * tool.timeoutMs + RESIDENT_BUDGET_MS + timing.cancelGraceMs + timing.heartbeatTimeoutMs,
    heartbeatTimeout: timing.heartbeatTimeoutMs,
    ...(queueLimitMs === undefined ? {} : { scheduleToStartTimeout: queueLimitMs }),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { maximumAttempts: 1 },
    summary: `${input.column}: ${input.tool} (${input.account})${input.job ? `, job ${input.job.id}` : ''}`,
    priority: { fairnessKey: input.mapId.slice(0, 64) },
  });
  return dispatch(input);
}
