// JSONata in workflow code: loaded only when an expression is more than a plain reference, since the module costs 3 ms a workflow.
import { EXPRESSION_DEPTH, EXPRESSION_STEPS } from '../contracts/limits';
import type { Json } from '../contracts/outcomes';
import { readSimplePath, simplePath, templateSteps } from '../contracts/template';
import { evaluateApart } from './activity-proxies';

/** What an expression sees. */
export interface ExpressionScope {
  row: { [column: string]: Json };
  cells: { [column: string]: unknown };
  run: { id: string; map: string };
}

/** An expression that threw, with its text: the row ends as EXPRESSION_FAILED. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** The column of a spec that it belongs to. */
  column?: string;
}

// Of this row: modules are evaluated anew for each workflow. Steps are counted because a clock would not be the same in a replay.
let steps = 0;

function countStep(): void {
  steps += 1;
  if (steps <= EXPRESSION_STEPS) return;
  throw new Error(`more than ${EXPRESSION_STEPS} evaluations in one row; long work belongs into a code tool`);
}

async function evaluateJsonata(expression: string, scope: ExpressionScope): Promise<unknown> {
  try {
    const jsonata = require('jsonata') as typeof import('jsonata');
    const compiled = jsonata(expression, { stack: EXPRESSION_DEPTH });
    // The hook that JSONata calls before each evaluation; its types know names only.
    compiled.assign(Symbol.for('jsonata.__evaluate_entry') as unknown as string, countStep);
    return await compiled.evaluate(scope);
  } catch (error) {
    const reason = error instanceof Error ? error.message : (error as { message?: string })?.message;
    throw new ExpressionError(`${expression}: ${reason ?? String(error)}`);
  }
}

/** Lets an activity evaluate what may take any time or memory here. */
async function evaluateInActivity(expression: string, scope: ExpressionScope): Promise<unknown> {
  const evaluation = await evaluateApart({ expression, scope: scope as unknown as { [name: string]: Json } });
  if ('problem' in evaluation) throw new ExpressionError(`${expression}: ${evaluation.problem}`);
  return evaluation.value;
}

/**
 * A template of JSON with `{{ }}` texts, filled in; `undefined` when the whole of it selects nothing. Plain references are
 * read at once: each promise of a workflow costs the worker a stack trace. `apart`: see RowPlan.
 */
export async function renderValue(
  template: Json,
  scope: ExpressionScope,
  apart: readonly string[] = [],
): Promise<Json | undefined> {
  const steps = templateSteps(template);
  let step = steps.next();
  while (!step.done) {
    const path = simplePath(step.value);
    const read = path ? readSimplePath(path, scope) : null;
    const evaluate = apart.includes(step.value) ? evaluateInActivity : evaluateJsonata;
    step = steps.next(read?.found ? read.value : await evaluate(step.value, scope));
  }
  return step.value;
}
