// One row: runs its program, leaves no call behind, and always completes with an outcome. Nothing here fails a workflow task.
import { CancellationScope, CancelledFailure, isCancellation, setHandler, workflowInfo } from '@temporalio/workflow';
import { countOutcome } from '../contracts/counting';
import { ROW_RESULT_BYTES } from '../contracts/limits';
import type { AdmittedRow, RowPlan } from '../contracts/plan';
import type { RowHolds, RowOutcome, RowResult } from '../contracts/results';
import { mapActivities } from './activity-proxies';
import { type Calls, controlOf, createCalls } from './calls';
import { definedMap } from './define-map';
import { ExpressionError } from './expressions';
import './maps';
import { pauseSignal, resumeSignal, rowHoldsQuery } from './messages';
import { rowContext } from './row-context';
import { type ProgramEnd, type RowState, rowOutcome } from './row-outcome';
import { runColumns } from './run-columns';
import { ToolCallError } from './tool-call-error';

export interface RowInput {
  plan: RowPlan;
  row: AdmittedRow;
}

/** A TypeScript map's answers are kept as cells until it returns, so that a row cut short still shows what was bought. */
async function runProgram(
  { plan, row }: RowInput,
  state: RowState,
  calls: Calls,
  isCancelled: () => boolean,
): Promise<void> {
  if (plan.program.kind === 'columns') return runColumns(plan.program.columns, plan, row.input, state, calls.call);
  const program = definedMap(plan.program.map);
  if (!program) throw new Error(`no map named ${plan.program.map} is defined in workflows/maps`);
  const cells = await program(row.input, rowContext(plan, state, calls));
  if (isCancelled()) throw new CancelledFailure('the map returned after it was cancelled');
  if (cells === null || typeof cells !== 'object' || Array.isArray(cells)) {
    throw new Error(`the map must return an object of cells, got ${cells === null ? 'null' : typeof cells}`);
  }
  state.cells = Object.fromEntries(
    Object.entries(cells).filter(([, value]) => value !== undefined),
  ) as RowState['cells'];
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
  const code = error instanceof ExpressionError ? 'EXPRESSION_FAILED' : 'ROW_PROGRAM_ERROR';
  const message = error instanceof Error ? `${error.name}: ${error.message}` : `thrown: ${String(error)}`;
  return { kind: 'failed', error: { code, message: message.slice(0, 2000), repairable: false } };
}

/** A big outcome goes to the run store from the row itself, so that a page never holds 250 of them. */
async function sized(outcome: RowOutcome, plan: RowPlan): Promise<RowResult> {
  if (JSON.stringify(outcome).length <= ROW_RESULT_BYTES) return outcome;
  const { storeRowResult } = mapActivities(plan.timing.heartbeatTimeoutMs);
  const stored = await CancellationScope.nonCancellable(() => storeRowResult({ mapId: plan.mapId, outcome }));
  const { identity, ordinal, status } = outcome;
  return { identity, ordinal, status, stored, counts: countOutcome(outcome) };
}

export async function mapRow(input: RowInput): Promise<RowResult> {
  const { plan, row } = input;
  const { workflowId, runId } = workflowInfo();
  const state: RowState = { identity: row.identity, ordinal: row.ordinal, cells: {}, skipped: [], ledger: [] };
  let paused = false;
  const root = CancellationScope.current();
  const calls = createCalls({ plan, rowIdentity: row.identity, row: { workflowId, runId }, isPaused: () => paused });
  setHandler(pauseSignal, () => {
    paused = true;
    calls.withdrawForPause();
  });
  setHandler(resumeSignal, () => {
    paused = false;
  });
  setHandler(rowHoldsQuery, (): RowHolds => {
    const flags = { cancelled: root.consideredCancelled, settling: calls.isSettling(), paused };
    return { control: controlOf(flags), calls: calls.holds() };
  });

  let end: ProgramEnd = { kind: 'returned' };
  try {
    await runProgram(input, state, calls, () => root.consideredCancelled);
  } catch (error) {
    end = programEnd(error, root.consideredCancelled);
  }
  await calls.settleAll();
  return sized(rowOutcome({ ...state, ledger: calls.ledger() }, end), plan);
}
