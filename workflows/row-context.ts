// The `ctx` of a TypeScript map, over the same calls that a spec's columns use.
import { CancelledFailure, log, sleep } from '@temporalio/workflow';
import type { Json } from '../contracts/outcomes';
import type { RowPlan, ToolPlan } from '../contracts/plan';
import type { Calls } from './calls';
import type { RowContext, ToolAnswer } from './define-map';
import type { RowState } from './row-outcome';
import { ToolCallError } from './tool-call-error';

function toolOf(plan: RowPlan, name: string, account: string): ToolPlan {
  const tool = plan.tools[`${name}@${account}`];
  if (tool) return tool;
  const known = Object.keys(plan.tools).join(', ') || 'none';
  throw new Error(`ctx.tool('${name}') with account '${account}': the map has no such tool; it has ${known}`);
}

/** Answers become cells of the row at once; the program's return replaces them. */
export function rowContext(plan: RowPlan, state: RowState, calls: Calls): RowContext {
  return {
    async tool(name: string, input: Json, options = {}): Promise<ToolAnswer> {
      const column = options.column ?? name;
      const end = await calls.call(column, toolOf(plan, name, options.account ?? 'default'), input);
      switch (end.kind) {
        case 'completed':
          state.cells[column] = end.value;
          return { value: end.value, missed: false, receipt: end.receipt };
        case 'missed':
          return { value: null, missed: true, receipt: end.receipt };
        case 'cancelled':
          throw new CancelledFailure('cancelled during a call');
        default:
          throw new ToolCallError(column, end);
      }
    },
    sleep: (durationMs) => sleep(durationMs, { summary: 'ctx.sleep' }),
    log: (message, attributes = {}) => log.info(message, attributes),
    run: { id: plan.runId, map: plan.mapId },
    row: { identity: state.identity, ordinal: state.ordinal },
  };
}
