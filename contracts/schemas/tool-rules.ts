// Rules of one HTTP tool that no schema can say: where its templates stand and what a path may hold.
import { tokens } from '../expression-text';
import { isObject, type LocatedProblem, type Raw } from './read-by';
import { joinReadings, readCondition, readTemplate, type TemplateReading } from './template-rules';
import { found } from './words';

type At = readonly PropertyKey[];

/** Every template of a tool, of any form. */
export function readToolTemplates(tool: unknown, at: At): TemplateReading {
  const request = isObject(tool) && isObject(tool.request) ? tool.request : {};
  const response = isObject(tool) && isObject(tool.response) ? tool.response : {};
  return joinReadings([
    ...['path', 'query', 'headers', 'body'].map((part) => readTemplate(request[part], [...at, 'request', part])),
    readTemplate(response.value, [...at, 'response', 'value']),
    ...['missWhen', 'errorWhen', 'requestId'].map((part) => readCondition(response[part], [...at, 'response', part])),
  ]);
}

/** Problems of a raw tool beyond its schema. */
export function toolRules(tool: unknown, at: At): LocatedProblem[] {
  const request = isObject(tool) && isObject(tool.request) ? tool.request : {};
  const problems = [...readToolTemplates(tool, at).problems];
  if (request.method === 'GET' && request.body !== undefined) {
    problems.push({ at: [...at, 'request', 'body'], message: 'a GET request has no body' });
  }
  if (isObject(tool) && tool.effect === 'write' && tool.share === 'all') {
    const message = 'expected "run": a write that is asked for twice is meant twice, so its answer is never shared';
    problems.push({ at: [...at, 'share'], message });
  }
  problems.push(...changingProblems(request, [...at, 'request']));
  if (typeof request.path === 'string') problems.push(...pathProblems(request.path, [...at, 'request', 'path']));
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

function pathProblems(path: string, at: At): LocatedProblem[] {
  const literal = path.replace(/\{\{[\s\S]*?\}\}/g, 'x');
  if (/[?#]/.test(literal))
    return [{ at, message: `expected a path without "?" and "#" (use query), found ${found(path)}` }];
  const dots = literal.split('/').some((segment) => segment === '.' || segment === '..');
  return dots ? [{ at, message: `expected a path without "." and ".." segments, found ${found(path)}` }] : [];
}
