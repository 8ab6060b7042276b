// Rules of limits in other units than requests: each tool says what its calls weigh, and no call is heavier than a whole window.
import { DURATION_PATTERN, formatDuration, parseDuration } from '../duration';
import { MIN_UNIT_WINDOW_MS } from '../limits';
import { isObject, type LocatedProblem, type Raw } from './read-by';
import { unitsOf } from './tool-rules';

/** Problems of a raw provider file about units. */
export function unitRules(raw: Raw): LocatedProblem[] {
  const { rate } = isObject(raw.limits) ? raw.limits : { rate: undefined };
  const windows = (Array.isArray(rate) ? rate : []).map((window) => (isObject(window) ? window : {}));
  const tools = isObject(raw.tools) ? Object.entries(raw.tools) : [];
  return [
    ...windows.flatMap((window, index) => windowProblems(window, ['limits', 'rate', index])),
    ...tools.flatMap(([tool, spec]) => toolProblems(spec, windows, ['tools', tool, 'units'])),
  ];
}

function windowProblems({ unit, per }: Raw, at: readonly PropertyKey[]): LocatedProblem[] {
  if (unit === undefined) return [];
  const problems: LocatedProblem[] = [];
  if (unit === 'requests')
    problems.push({ at: [...at, 'unit'], message: 'a window of requests has no unit; leave it out' });
  if (typeof per === 'string' && DURATION_PATTERN.test(per) && parseDuration(per) < MIN_UNIT_WINDOW_MS) {
    const message = `expected at least ${formatDuration(MIN_UNIT_WINDOW_MS)} for a window with a unit, found ${per}`;
    problems.push({ at: [...at, 'per'], message });
  }
  return problems;
}

function toolProblems(spec: unknown, windows: readonly Raw[], at: readonly PropertyKey[]): LocatedProblem[] {
  const said = new Map(unitsOf(spec));
  const limited = [...new Set(windows.flatMap(({ unit }) => (typeof unit === 'string' ? [unit] : [])))];
  const missing = limited
    .filter((unit) => !said.has(unit))
    .map((unit) => ({ at, message: `expected ${unit}: { most: … }, since the limits count ${unit}` }));
  const problems: LocatedProblem[] = [...missing];
  for (const [unit, weight] of said) {
    const limits = windows.filter((window) => window.unit === unit).map(({ limit }) => Number(limit));
    if (limits.length === 0) problems.push({ at: [...at, unit], message: `no window of the limits counts ${unit}` });
    const most = isObject(weight) ? weight.most : undefined;
    const least = Math.min(...limits);
    if (typeof most !== 'number' || most <= least) continue;
    const message = `a call of ${most} ${unit} never fits: expected at most ${least}, the smallest limit of ${unit}`;
    problems.push({ at: [...at, unit, 'most'], message });
  }
  return problems;
}
