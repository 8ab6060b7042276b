// JSONata of provider files: compiled once when the worker starts; what nothing bounds runs in a process of its own. Answers in plain JSON.
import jsonata from 'jsonata';
import { ANSWER_BYTES, EXPRESSION_DEPTH, EXPRESSION_TIMEOUT_MS } from '../../contracts/limits';
import type { Json } from '../../contracts/outcomes';
import { plainJson, renderTemplate } from '../../contracts/template';
import { isTruthy } from '../../contracts/truthy';
import { isBounded } from '../expressions/bounded';
import { evaluateApart } from '../expressions/evaluate-apart';
import { reasonOf } from '../expressions/reason';

export type Scope = { [name: string]: Json };

/** An expression that failed on its scope; `message` names it. */
export class ExpressionFailed extends Error {
  override name = 'ExpressionFailed';
}

/** Why a text is no JSONata expression; null when it is one. */
export function syntaxProblem(expression: string): string | null {
  try {
    jsonata(expression);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

export interface Expressions {
  /** The template filled in; undefined when the whole of it selects nothing. Throws ExpressionFailed. */
  render(template: Json, scope: Scope): Promise<Json | undefined>;
  /** Whether the one expression of a condition is true by JSONata's rules; false when there is no condition. */
  holds(condition: string | undefined, scope: Scope): Promise<boolean>;
}

/** Compiles each expression once, on first sight of its text; templates must have passed `syntaxProblem`. */
export function createExpressions(expressions: readonly string[]): Expressions {
  const options = { timeout: EXPRESSION_TIMEOUT_MS, stack: EXPRESSION_DEPTH };
  const compiled = new Map(
    expressions.map((text) => [text, isBounded(text) ? jsonata(text, options) : ('apart' as const)]),
  );
  const evaluate = async (text: string, scope: Scope): Promise<Json | undefined> => {
    const expression = compiled.get(text);
    if (!expression) throw new ExpressionFailed(`${text}: was not compiled`);
    if (expression === 'apart') {
      const evaluation = await evaluateApart({ expression: text, scope, maxCharacters: ANSWER_BYTES });
      if ('problem' in evaluation) throw new ExpressionFailed(`${text}: ${evaluation.problem}`);
      return evaluation.value;
    }
    try {
      return plainJson(await expression.evaluate(scope));
    } catch (error) {
      throw new ExpressionFailed(`${text}: ${reasonOf(error)}`);
    }
  };
  const render: Expressions['render'] = (template, scope) => renderTemplate(template, (text) => evaluate(text, scope));
  return {
    render,
    holds: async (condition, scope) => condition !== undefined && isTruthy(await render(condition, scope)),
  };
}
