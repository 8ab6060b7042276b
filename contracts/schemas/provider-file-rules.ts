// Rules of a provider file that no schema can say.
import type { LocatedProblem } from './read-by';

export function providerFileRules(_raw: unknown): LocatedProblem[] {
  return [];
}
