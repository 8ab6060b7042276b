// The `ctx` of a TypeScript map, over the same calls that a spec's columns use.
import { CancelledFailure, log, sleep } from '@temporalio/workflow';
import type { Json } from '../contracts/outcomes';
import type { RowPlan, ToolPlan } from '../contracts/plan';
import { asJson } from './as-json';
import type { Calls } from './calls';
import type { RowContext, ToolAnswer, ToolOptions } from './define-map';
import type { RowState } from './row-outcome';
import { ToolCallError } from './tool-call-error';

/** The account of a call that names none: `default`, or the only one that the tool has; as in a spec. */
function toolOf(plan: RowPlan, name: string, account: string | undefined): ToolPlan {
  const tools = Object.values(plan.tools).filter(({ tool }) => tool === name);
  const found = tools.find((tool) => tool.account === (account ?? 'default'));
  if (found) return found;
  const [only, ...others] = tools;
  if (only && others.length === 0 && account === undefined) return only;
  const known = Object.keys(plan.tools).join(', ') || 'none';
  throw new Error(
    `ctx.tool('${name}') with account '${account ?? 'default'}': the map has no such tool; it has ${known}`,
  );
}

/** A promise that the program may drop: its rejection must not fail the workflow task. */
function droppable<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}

/** What is left of a program that has ended stands still, so that it can neither reject unheard nor change the row. */
const never = (): Promise<never> => new Promise(() => undefined);

/** Answers become cells of the row at once; the program's return replaces them. */
export function rowContext(plan: RowPlan, state: RowState, calls: Calls): RowContext {
  const { cells } = state;
  async function tool(name: string, input: Json, options: ToolOptions = {}): Promise<ToolAnswer> {
    if (calls.isSettling()) return never();
    const column = options.column ?? name;
    const end = await calls.call(column, toolOf(plan, name, options.account), asJson(input), options);
    if (end.kind === 'completed') cells[column] = end.value;
    if (calls.isSettling()) return never();
    switch (end.kind) {
      case 'completed':
        return { value: end.value, missed: false, receipt: end.receipt };
      case 'missed':
        return { value: null, missed: true, receipt: end.receipt };
      case 'cancelled':
        throw new CancelledFailure('cancelled during a call');
      default:
        throw new ToolCallError(column, end);
    }
  }
  return {
    tool: (name, input, options) => droppable(tool(name, input, options)),
    sleep: (durationMs) => droppable(sleep(durationMs, { summary: 'ctx.sleep' })),
    log: (message, attributes = {}) => log.info(message, attributes),
    run: { id: plan.runId, map: plan.mapId },
    row: { identity: state.identity, ordinal: state.ordinal },
  };
}
