// Rules of a map spec that no schema can say.
import type { LocatedProblem } from './read-by';

export function mapSpecRules(_raw: unknown): LocatedProblem[] {
  return [];
}
