// The row program of a spec: columns in order, each a value or a waterfall of tool calls, with runIf.
import { CancelledFailure } from '@temporalio/workflow';
import type { Json } from '../contracts/outcomes';
import type { ColumnPlan, RowPlan, ToolCallPlan, ToolPlan } from '../contracts/plan';
import { isTruthy } from '../contracts/truthy';
import type { CallEnd } from './call-tool';
import type { Calls } from './calls';
import { ExpressionError, type ExpressionScope, renderValue } from './expressions';
import type { RowState } from './row-outcome';
import { ToolCallError } from './tool-call-error';

/** What a column may do to its row. */
export interface RowSteps {
  call: Calls['call'];
  isCancelled(): boolean;
}

/**
 * Next leg on `missed` and `failed`, never on `unknown` or cancel: an answer may already have been bought. The column
 * fails when no leg found anything and one of them failed.
 */
async function runLegs(
  column: ColumnPlan,
  legs: ToolCallPlan[],
  plan: RowPlan,
  scope: ExpressionScope,
  call: RowSteps['call'],
) {
  let failed: CallEnd | null = null;
  for (const leg of legs) {
    const tool = plan.tools[`${leg.tool}@${leg.account}`] as ToolPlan;
    const input = (await renderValue(leg.input, scope, plan.apart)) ?? null;
    const end = await call(column.name, tool, input, leg);
    if (end.kind === 'completed') return end;
    if (end.kind === 'cancelled') throw new CancelledFailure('cancelled during a call');
    if (end.kind === 'unknown') throw new ToolCallError(column.name, end);
    if (end.kind === 'rejected') failed = end;
  }
  if (failed?.kind === 'rejected') throw new ToolCallError(column.name, failed);
  return null;
}

/** Fills `state.cells` column by column, so that what was finished before a failure or a cancel is kept. */
export async function runColumns(
  columns: ColumnPlan[],
  plan: RowPlan,
  row: { [name: string]: Json },
  state: RowState,
  { call, isCancelled }: RowSteps,
): Promise<void> {
  const scope: ExpressionScope = { row, cells: state.cells, run: { id: plan.runId, map: plan.mapId } };
  for (const column of columns) {
    if (isCancelled()) throw new CancelledFailure('cancelled between two columns');
    await runColumn(column).catch((error: unknown) => {
      if (error instanceof ExpressionError) error.column = column.name;
      throw error;
    });
  }

  async function runColumn(column: ColumnPlan): Promise<void> {
    if (column.runIf !== undefined && !isTruthy(await renderValue(column.runIf, scope, plan.apart))) {
      state.skipped.push(column.name);
    } else if (column.legs) {
      const end = await runLegs(column, column.legs, plan, scope, call);
      if (end) state.cells[column.name] = end.value;
    } else {
      const value = await renderValue(column.value ?? null, scope, plan.apart);
      if (value !== undefined) state.cells[column.name] = value;
    }
  }
}
