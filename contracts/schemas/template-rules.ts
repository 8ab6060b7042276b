// Problems of templates inside specs and provider files: braces that do not close, conditions that are no expression.
import type { Json } from '../outcomes';
import { parseTemplate, soleExpression, TemplateError, templateTexts } from '../template';
import type { LocatedProblem } from './read-by';
import { found, jsonProblem } from './words';

type At = readonly PropertyKey[];

/** One expression of a template and the path of the text that holds it. */
export interface LocatedExpression {
  at: At;
  expression: string;
}

export interface TemplateReading {
  expressions: LocatedExpression[];
  problems: LocatedProblem[];
}

/** Every expression of a template. A value that is no JSON has none: the schema has said so already. */
export function readTemplate(template: unknown, at: At): TemplateReading {
  const reading: TemplateReading = { expressions: [], problems: [] };
  if (template === undefined || jsonProblem(template) !== null) return reading;
  for (const { at: inside, text } of templateTexts(template as Json)) {
    const path = [...at, ...inside];
    try {
      for (const part of parseTemplate(text)) {
        if (part.kind === 'expression') reading.expressions.push({ at: path, expression: part.expression });
      }
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      reading.problems.push({ at: path, message: `${error.message}, in ${found(text)}` });
    }
  }
  return reading;
}

/** A condition must be exactly one expression in braces: bare text would be true for every row, so it is refused and not guessed at. */
export function readCondition(condition: unknown, at: At): TemplateReading {
  const reading = readTemplate(condition, at);
  if (typeof condition !== 'string' || condition === '' || reading.problems.length > 0) return reading;
  if (soleExpression(condition) === null) {
    const hint = reading.expressions.length === 0 ? `: write ${found(`{{ ${condition.trim()} }}`)}` : '';
    reading.problems.push({ at, message: `expected one expression in {{ }}, found ${found(condition)}${hint}` });
  }
  return reading;
}

/** Readings of several templates as one. */
export function joinReadings(readings: readonly TemplateReading[]): TemplateReading {
  return {
    expressions: readings.flatMap(({ expressions }) => expressions),
    problems: readings.flatMap(({ problems }) => problems),
  };
}
