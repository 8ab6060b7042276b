// One row: runs its program, leaves no call behind, and always completes with an outcome. Nothing here fails a workflow task.
import { CancellationScope, isCancellation, setHandler, workflowInfo } from '@temporalio/workflow';
import { countOutcome } from '../contracts/counting';
import { ROW_RESULT_BYTES } from '../contracts/limits';
import type { AdmittedRow, RowPlan } from '../contracts/plan';
import type { EarlierCall } from '../contracts/redrive';
import type { RowHolds, RowOutcome, RowResult } from '../contracts/results';
import { withReferences } from '../contracts/stored-value';
import { mapActivities } from './activity-proxies';
import { type Calls, controlOf, createCalls } from './calls';
import { CellError } from './cell-error';
import { ExpressionError } from './expressions';
import { fitOutcome } from './fit-outcome';
import type { KeptAnswers } from './kept-answers';
import { answerSignal, rowHoldsQuery, setPausedSignal } from './messages';
import { PauseState } from './pause-state';
import { type ProgramEnd, type RowState, rowOutcome } from './row-outcome';
import { runColumns } from './run-columns';
import { ToolCallError } from './tool-call-error';

export interface RowInput {
  plan: RowPlan;
  row: AdmittedRow;
}

function runProgram({ plan, row }: RowInput, state: RowState, calls: Calls, isCancelled: () => boolean): Promise<void> {
  if (plan.program.kind === 'columns')
    return runColumns(plan.program.columns, plan, row.input, state, { call: calls.call, isCancelled });
  // Modules are evaluated anew for each row: one of columns does not load the maps.
  const { runTypeScript } = require('./run-typescript') as typeof import('./run-typescript');
  return runTypeScript(plan.program.map, plan, row.input, state, { calls, isCancelled });
}

/** Text of anything that can be thrown, of what refuses to be text too. */
function textOfThrown(thrown: unknown): string {
  try {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `thrown: ${String(thrown)}`;
  } catch {
    return `thrown: a ${typeof thrown} that has no text`;
  }
}

/** Turns whatever a program threw into how it ended. A cancel outranks the author's own error (rule 1). */
function programEnd(error: unknown, cancelled: boolean): ProgramEnd {
  if (isCancellation(error) || cancelled) return { kind: 'cancelled' };
  if (error instanceof ToolCallError) {
    const { code, column, message, retryAtMs, end } = error;
    const repairable = end.kind === 'unknown' || end.repairable;
    return {
      kind: 'failed',
      error: { code, message, column, repairable, ...(retryAtMs === null ? {} : { retryAtMs }) },
    };
  }
  if (error instanceof CellError) {
    const { column, message } = error;
    return { kind: 'failed', error: { code: 'RESULT_INVALID', message, column, repairable: false } };
  }
  const message = textOfThrown(error).slice(0, 2000);
  if (!(error instanceof ExpressionError))
    return { kind: 'failed', error: { code: 'ROW_PROGRAM_ERROR', message, repairable: false } };
  const { column } = error;
  return {
    kind: 'failed',
    error: { code: 'EXPRESSION_FAILED', message, ...(column === undefined ? {} : { column }), repairable: false },
  };
}

/** A big outcome goes to the run store from the row itself, so that a page never holds 250 of them. */
async function sized(outcome: RowOutcome, plan: RowPlan, known: Set<string>): Promise<RowResult> {
  if (JSON.stringify(outcome).length <= ROW_RESULT_BYTES) return withReferences(outcome, known);
  const { mapId, timing } = plan;
  const { storeRowResult, storeValue } = mapActivities(timing.heartbeatTimeoutMs);
  return CancellationScope.nonCancellable(async () => {
    const small = await fitOutcome(outcome, async (value) => {
      const reference = await storeValue({ mapId, value });
      known.add(reference.$stored.digest);
      return reference;
    });
    const fitted = withReferences(small, known);
    const stored = await storeRowResult({ mapId, outcome: fitted });
    const { identity, ordinal, status } = fitted;
    return { identity, ordinal, status, stored, counts: countOutcome(fitted) };
  });
}

/** Only a redriven row loads this module. */
function keptFrom(earlier: EarlierCall[], { timing }: RowPlan): KeptAnswers {
  const { keptAnswers } = require('./kept-answers') as typeof import('./kept-answers');
  const { digestInput } = mapActivities(timing.heartbeatTimeoutMs);
  return keptAnswers(earlier, (input) => digestInput({ input }));
}

/**
 * One row: its program and its calls. Completes with the row's outcome, also when the row failed or was cancelled, and never
 * fails for what a provider said.
 */
export async function mapRow(input: RowInput): Promise<RowResult> {
  const { plan, row } = input;
  const { workflowId, runId } = workflowInfo();
  const state: RowState = { identity: row.identity, ordinal: row.ordinal, cells: {}, skipped: [], ledger: [] };
  const pause = new PauseState();
  const root = CancellationScope.current();
  const isCancelled = () => root.consideredCancelled;
  const isPaused = () => pause.isPaused;
  const calls = createCalls({
    plan,
    rowIdentity: row.identity,
    row: { workflowId, runId },
    ...(row.earlier ? { kept: keptFrom(row.earlier, plan) } : {}),
    isPaused,
    isCancelled,
  });
  root.cancelRequested.catch(() => calls.withdrawForCancel());
  setHandler(setPausedSignal, (order) => {
    if (pause.accept(order) && order.paused) calls.withdrawForPause();
  });
  setHandler(answerSignal, calls.accept);
  setHandler(rowHoldsQuery, (): RowHolds => {
    const flags = { cancelled: isCancelled(), settling: calls.isSettling(), paused: isPaused() };
    return { control: controlOf(flags), calls: calls.holds() };
  });

  let end: ProgramEnd = { kind: 'returned' };
  try {
    await runProgram(input, state, calls, isCancelled);
  } catch (error) {
    end = programEnd(error, isCancelled());
  }
  await calls.settleAll();
  return sized(rowOutcome({ ...state, ledger: calls.ledger() }, end), plan, calls.storedDigests());
}
