// A setConcurrency signal from anybody: out of bounds or of the wrong type, it is refused with a warning, never a broken map.
import { MAX_CONCURRENCY_ROWS, MAX_PARKED_ROWS } from '../contracts/limits';
import type { Concurrency } from '../contracts/map-limits';

const BOUNDS = { rows: [1, MAX_CONCURRENCY_ROWS], parkedRows: [0, MAX_PARKED_ROWS] } as const;

export interface CheckedConcurrency {
  concurrency: Partial<Concurrency>;
  problems: string[];
}

/** Keeps what is right and says what is not. */
export function checkedConcurrency(wanted: unknown): CheckedConcurrency {
  const checked: CheckedConcurrency = { concurrency: {}, problems: [] };
  if (wanted === null || typeof wanted !== 'object' || Array.isArray(wanted)) {
    checked.problems.push(
      `setConcurrency was ignored: expected { "rows": n, "parkedRows": n }, got ${JSON.stringify(wanted) ?? 'nothing'}`,
    );
    return checked;
  }
  for (const [name, value] of Object.entries(wanted)) {
    const bounds = Object.hasOwn(BOUNDS, name) ? BOUNDS[name as keyof typeof BOUNDS] : null;
    if (!bounds) checked.problems.push(`setConcurrency: ${name} was ignored, known are rows and parkedRows`);
    else if (!Number.isInteger(value) || value < bounds[0] || value > bounds[1]) {
      checked.problems.push(
        `setConcurrency: ${name} was ignored, expected ${bounds[0]} to ${bounds[1]}, got ${JSON.stringify(value)}`,
      );
    } else checked.concurrency[name as keyof Concurrency] = value;
  }
  return checked;
}
