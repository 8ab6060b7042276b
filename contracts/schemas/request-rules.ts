// Rules of one request template that no schema can say: what a path may hold, and which methods have a body.
import type { LocatedProblem, Raw } from './read-by';
import { found } from './words';

type At = readonly PropertyKey[];

/** Problems of a raw request beyond its schema. */
export function requestProblems({ method, body, path }: Raw, at: At): LocatedProblem[] {
  return [
    ...(method === 'GET' && body !== undefined ? [{ at: [...at, 'body'], message: 'a GET request has no body' }] : []),
    ...(typeof path === 'string' ? pathProblems(path, [...at, 'path']) : []),
  ];
}

function pathProblems(path: string, at: At): LocatedProblem[] {
  const literal = path.replace(/\{\{[\s\S]*?\}\}/g, 'x');
  if (/[?#]/.test(literal))
    return [{ at, message: `expected a path without "?" and "#" (use query), found ${found(path)}` }];
  const dots = literal.split('/').some((segment) => segment === '.' || segment === '..');
  return dots ? [{ at, message: `expected a path without "." and ".." segments, found ${found(path)}` }] : [];
}
