// Durations as people write them in specs and provider files: a whole number and one unit.

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The accepted form: `500ms`, `5s`, `2m`, `24h`, `7d`. No sign, fraction, space or leading zero. */
export const DURATION_PATTERN = /^(0|[1-9]\d{0,11})(ms|s|m|h|d)$/;

export interface DurationBounds {
  minMs: number;
  maxMs: number;
}

/** Why `text` is no duration within the bounds, in a sentence that says what was expected; null when it is one. */
export function durationProblem(text: string, bounds: DurationBounds): string | null {
  const match = DURATION_PATTERN.exec(text);
  if (!match) return 'expected a duration such as 500ms, 5s, 2m, 24h or 7d';
  const milliseconds = Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
  if (milliseconds >= bounds.minMs && milliseconds <= bounds.maxMs) return null;
  return `expected a duration from ${formatDuration(bounds.minMs)} to ${formatDuration(bounds.maxMs)}`;
}

/** Milliseconds of a duration text, 0 to 2^53. Throws a RangeError that names the text when it has another form. */
export function parseDuration(text: string): number {
  const problem = durationProblem(text, { minMs: 0, maxMs: Number.MAX_SAFE_INTEGER });
  if (problem !== null) throw new RangeError(`${problem}, found ${JSON.stringify(text)}`);
  const match = DURATION_PATTERN.exec(text)!;
  return Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
}

/** The shortest duration text of whole milliseconds: 90000 gives `90s`, 7200000 gives `2h`. */
export function formatDuration(milliseconds: number): string {
  const units = ['d', 'h', 'm', 's'] as const;
  const unit = units.find((one) => milliseconds > 0 && milliseconds % UNIT_MS[one] === 0) ?? 'ms';
  return `${milliseconds / UNIT_MS[unit]}${unit}`;
}
