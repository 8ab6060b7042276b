// What a call weighs in other units than requests: at most when it leaves, and as its answer says afterwards.
import type { Units } from '../../contracts/gate';
import { SHOWN_CHARACTERS } from '../../contracts/limits';
import type { Json } from '../../contracts/outcomes';
import type { ToolSpec } from '../../contracts/schemas/tool-spec';
import { ExpressionFailed, type Expressions } from './expressions';
import type { ToolAnswer } from './tool';
import { RequestInvalid } from './tool-errors';

type UnitsSpec = NonNullable<ToolSpec['units']>;

/** Parts of a unit are rounded up. Throws RequestInvalid when an expression fails or gives no number from 0. */
export async function mostOf(units: UnitsSpec, expressions: Expressions, input: Json): Promise<Units> {
  const most: Units = {};
  for (const [unit, { most: template }] of Object.entries(units)) {
    most[unit] = typeof template === 'number' ? template : await mostBy(template, unit, expressions, input);
  }
  return most;
}

async function mostBy(template: string, unit: string, expressions: Expressions, input: Json): Promise<number> {
  const value = await expressions.render(template, { input }).catch((error: unknown) => {
    if (error instanceof ExpressionFailed) throw new RequestInvalid(`units.${unit}.most: ${error.message}`);
    throw error;
  });
  if (typeof value === 'number' && value >= 0) return Math.ceil(value);
  const got = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, SHOWN_CHARACTERS);
  throw new RequestInvalid(`units.${unit}.most: expected a number from 0, found ${got}`);
}

/** What the answer does not tell, or not as a number, is left out: the most stays counted. Headers tell numbers as text. */
export async function usedOf(units: UnitsSpec, expressions: Expressions, answer: ToolAnswer): Promise<Units> {
  const { status, headers, body, input } = answer;
  const used: Units = {};
  for (const [unit, { used: template }] of Object.entries(units)) {
    if (template === undefined) continue;
    const value = await expressions.render(template, { status, headers, body, input }).catch((error: unknown) => {
      if (error instanceof ExpressionFailed) return undefined;
      throw error;
    });
    const count = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    if (typeof count === 'number' && count >= 0) used[unit] = Math.ceil(count);
  }
  return used;
}
