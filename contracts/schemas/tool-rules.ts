// Rules of one HTTP tool that no schema can say: where its templates stand and what a path may hold.
import { isObject, type LocatedProblem } from './read-by';
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
  if (typeof request.path === 'string') problems.push(...pathProblems(request.path, [...at, 'request', 'path']));
  return problems;
}

function pathProblems(path: string, at: At): LocatedProblem[] {
  const literal = path.replace(/\{\{[\s\S]*?\}\}/g, 'x');
  if (/[?#]/.test(literal))
    return [{ at, message: `expected a path without "?" and "#" (use query), found ${found(path)}` }];
  const dots = literal.split('/').some((segment) => segment === '.' || segment === '..');
  return dots ? [{ at, message: `expected a path without "." and ".." segments, found ${found(path)}` }] : [];
}
