// Figures as a person reads them: clock times, durations, counts, money, aligned tables.

const DAY_MS = 86_400_000;

const two = (value: number): string => String(value).padStart(2, '0');

/** Local time of day; with the date when it is a day or more away. */
export function clock(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  if (Math.abs(atMs - nowMs) < DAY_MS) return time;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
}

/** `42s`, `3m 05s`, `2h 10m`, `4d 03h`: the two largest units. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h ${two(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${two(hours % 24)}h`;
}

/** `1 row`, `41 rows`; with verbs `1 row waits`, `41 rows wait`. */
export function counted(count: number, noun: string, singular = '', plural = ''): string {
  const verb = count === 1 ? singular : plural;
  return `${count} ${noun}${count === 1 ? '' : 's'}${verb === '' ? '' : ` ${verb}`}`;
}

/** At most four decimals, none that say nothing. */
export const money = (amount: number): string => String(Math.round(amount * 10_000) / 10_000);

/** Length of a rate window in its largest whole unit up to hours, as provider files write it: `1s`, `24h`. */
export function windowLength(ms: number): string {
  const units = [
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const;
  const unit = units.find(([, unitMs]) => ms % unitMs === 0);
  return unit ? `${ms / unit[1]}${unit[0]}` : `${ms}ms`;
}

/** Rows of cells as lines: the first column to the left, the others to the right, or with `left` all to the left. */
export function table(
  rows: readonly (readonly string[])[],
  { indent = '  ', left = false }: { indent?: string; left?: boolean } = {},
): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === 0 || left ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    return `${indent}${cells.join('  ')}`.trimEnd();
  });
}
