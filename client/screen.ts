// Redraws a block of lines in place with two escape sequences, so that a watched map needs no screen library.

import { visible } from './visible';

const UP = (lines: number): string => (lines > 0 ? `\u001b[${lines}A\r` : '');
export const CLEAR_BELOW = '\u001b[J';

/** Text that replaces the last `drawn` lines by `lines`. Lines are cut to the width: a wrapped one would break the count. */
export function redraw(drawn: number, lines: readonly string[], columns: number): string {
  const fitting = lines
    .map(visible)
    .map((line) => (line.length > columns ? `${line.slice(0, Math.max(0, columns - 1))}…` : line));
  return `${UP(drawn)}${CLEAR_BELOW}${fitting.map((line) => `${line}\n`).join('')}`;
}
