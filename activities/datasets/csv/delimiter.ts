// Finds the delimiter in the header record alone: a `sep=` line, or the candidate that occurs most.
import { DatasetError } from '../dataset-error';
import { isDelimiter } from '../resolve-options';

export const DELIMITER_CANDIDATES = [',', ';', '\t', '|'] as const;

/** The X of a first line `sep=X`, or null. */
export function separatorDirective(line: string): string | null {
  const delimiter = line.slice('sep='.length);
  return line.startsWith('sep=') && isDelimiter(delimiter) ? delimiter : null;
}

/** The candidate that separates most fields of the header; a tie is E_CSV_DELIMITER_AMBIGUOUS, none at all is a comma. */
export function detectDelimiter(header: string, line: number): string {
  const counts = countCandidates(header);
  const most = Math.max(...counts.values());
  if (most === 0) return ',';
  const best = DELIMITER_CANDIDATES.filter((candidate) => counts.get(candidate) === most);
  if (best.length === 1) return best[0]!;
  const names = best.map((candidate) => JSON.stringify(candidate)).join(' as ');
  throw new DatasetError('E_CSV_DELIMITER_AMBIGUOUS', 'file', `header has as many ${names}; set delimiter`, { line });
}

/** The candidate that a header of a single name is probably made of, or null. */
export function suspectDelimiter(name: string): string | null {
  const counts = countCandidates(name);
  return DELIMITER_CANDIDATES.find((candidate) => counts.get(candidate)! > 0) ?? null;
}

/** Occurrences outside quotes. */
function countCandidates(header: string): Map<string, number> {
  const outside = header.replace(/"(?:[^"]|"")*"/g, '');
  return new Map(DELIMITER_CANDIDATES.map((candidate) => [candidate, outside.split(candidate).length - 1]));
}
