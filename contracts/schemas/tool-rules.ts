// Rules of one tool that no schema can say: where its templates stand and what they may not use.
import { tokens } from '../expression-text';
import { jobRules, readJobTemplates } from './job-rules';
import { isObject, type LocatedProblem, type Raw } from './read-by';
import { requestProblems } from './request-rules';
import { joinReadings, readCondition, readTemplate, type TemplateReading } from './template-rules';

type At = readonly PropertyKey[];

/** What a raw tool says in `units`, by unit. */
export const unitsOf = (tool: unknown): [string, unknown][] =>
  isObject(tool) && isObject(tool.units) ? Object.entries(tool.units) : [];

/** Every template of a tool, of any form. */
export function readToolTemplates(tool: unknown, at: At): TemplateReading {
  const request = isObject(tool) && isObject(tool.request) ? tool.request : {};
  const response = isObject(tool) && isObject(tool.response) ? tool.response : {};
  return joinReadings([
    ...['path', 'query', 'headers', 'body'].map((part) => readTemplate(request[part], [...at, 'request', part])),
    readTemplate(response.value, [...at, 'response', 'value']),
    ...['missWhen', 'errorWhen', 'requestId'].map((part) => readCondition(response[part], [...at, 'response', part])),
    ...(isObject(tool) ? [readJobTemplates(tool.job, [...at, 'job'])] : []),
    ...unitsOf(tool).flatMap(([unit, weight]) =>
      ['most', 'used'].map((part) => {
        const value = isObject(weight) ? weight[part] : undefined;
        return readCondition(typeof value === 'number' ? undefined : value, [...at, 'units', unit, part]);
      }),
    ),
  ]);
}

/** Problems of a raw tool beyond its schema. */
export function toolRules(tool: unknown, at: At): LocatedProblem[] {
  const request = isObject(tool) && isObject(tool.request) ? tool.request : {};
  const problems = [...readToolTemplates(tool, at).problems];
  problems.push(...requestProblems(request, [...at, 'request']));
  if (isObject(tool) && tool.effect === 'write' && tool.share === 'all') {
    const message = 'expected "run": a write that is asked for twice is meant twice, so its answer is never shared';
    problems.push({ at: [...at, 'share'], message });
  }
  problems.push(...changingProblems(request, [...at, 'request']));
  if (isObject(tool)) problems.push(...jobRules(tool, at));
  return problems;
}

/** JSONata functions whose value is another one at each call. */
const CHANGING = ['$now', '$millis', '$random', '$shuffle'];

/** A call that is tried again must send the same request, or its idempotency key stands for two different ones. */
function changingProblems(request: Raw, at: At): LocatedProblem[] {
  const parts = ['path', 'query', 'headers', 'body'].map((part) => readTemplate(request[part], [...at, part]));
  return joinReadings(parts).expressions.flatMap(({ at: inside, expression }) => {
    const used = [...tokens(expression)].find(({ kind, text }) => kind === 'variable' && CHANGING.includes(text));
    if (!used) return [];
    return [
      { at: inside, message: `${used.text} gives another value at each try; a repeated request must be the same` },
    ];
  });
}
