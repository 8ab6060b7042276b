// "Did you mean": the known name nearest to a mistyped one.

/** Edits (insert, delete, replace, swap of neighbours) between two names, each compared without case. */
function distance(left: string, right: string): number {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, beforePrevious[column - 2]! + 1);
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length]!;
}

/** The nearest of `known` when it differs from `name` by at most a third of its letters; the first of equals; else null. */
export function nearest(name: string, known: readonly string[]): string | null {
  const limit = Math.max(1, Math.floor(name.length / 3));
  let best: { candidate: string; edits: number } | null = null;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > limit) continue;
    const edits = distance(name, candidate);
    if (edits <= limit && (best === null || edits < best.edits)) best = { candidate, edits };
  }
  return best?.candidate ?? null;
}

/** ` (did you mean "columns"?)` to hang on a message, or the empty text when nothing is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const candidate = nearest(name, known);
  return candidate === null ? '' : ` (did you mean ${JSON.stringify(candidate)}?)`;
}
