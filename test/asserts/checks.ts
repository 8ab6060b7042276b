// What a check of a case's `assert` is: it brings about what the case says, over real HTTP, and measures what the assert names.
import type { AnswerCase } from '../activities/http/case-table';
import type { CallLab } from './call-lab';

export type Measured = { [name: string]: string | number | boolean };

/** By the id of the case. Each check measures every name of its case's `assert`. */
export interface Checks {
  [id: string]: (one: AnswerCase) => Promise<Measured>;
}

export async function withLab<Result>(
  opening: Promise<CallLab>,
  work: (lab: CallLab) => Promise<Result>,
): Promise<Result> {
  const lab = await opening;
  try {
    return await work(lab);
  } finally {
    await lab.close();
  }
}

/** Names that bound what is measured from above or from below; all others are what they are. */
const AT_MOST = ['maxExtraAttempts', 'maxBytesBuffered', 'dispatchWithinMsOfWake', 'dispatchedInFirstMsMax'];
const AT_LEAST = ['dispatchAfterMonotonicMs', 'minOverSamples'];

/** Null when `got` is as `wanted`; `>1` means more than 1, and a time to settle within is one on the clock of the case. */
export function difference(name: string, wanted: unknown, got: Measured[string] | undefined): string | null {
  const isMet =
    AT_MOST.includes(name) || (name === 'settlesWithinMs' && typeof wanted === 'number')
      ? Number(got) <= Number(wanted)
      : AT_LEAST.includes(name)
        ? Number(got) >= Number(wanted)
        : wanted === '>1'
          ? Number(got) > 1
          : got === wanted;
  return isMet ? null : `${name}: measured ${String(got)}, expected ${String(wanted)}`;
}
