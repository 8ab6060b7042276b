// A number that is looked for from both sides: cut at a refusal, then raised towards where it was refused, and beyond it ever faster. Pure.
import {
  LEARN_CUT,
  LEARN_DEEPEST_CUT,
  LEARN_LARGEST_STEP,
  LEARN_LEAST_STEP,
  LEARN_STEP_TOWARDS,
} from '../contracts/limits';

export interface Estimate {
  /** Above 0. */
  value: number;
  /** Where the last refusal came, or as far as it has gone since. */
  ceiling: number;
  /** Steps beyond the ceiling so far. */
  beyond: number;
}

export const firstEstimate = (value: number): Estimate => ({ value, ceiling: value, beyond: 0 });

/** `seen`: what went through just before, at most. A single measurement is rough, so one refusal cuts no deeper than LEARN_DEEPEST_CUT. */
export function afterCut({ value }: Estimate, seen: number): Estimate {
  const cut = Math.min(LEARN_CUT * value, Math.max(seen, LEARN_DEEPEST_CUT * value));
  return { value: cut, ceiling: value, beyond: 0 };
}

/** After a time without a refusal; what was not used up says nothing about more. */
export function raised({ value, ceiling, beyond }: Estimate, isUsed: boolean): Estimate {
  if (!isUsed) return { value, ceiling, beyond };
  if (value < ceiling) {
    return {
      value: Math.min(ceiling, value + Math.max(LEARN_LEAST_STEP * value, LEARN_STEP_TOWARDS * (ceiling - value))),
      ceiling,
      beyond,
    };
  }
  const higher = value * (1 + Math.min(LEARN_LARGEST_STEP, LEARN_LEAST_STEP * 2 ** beyond));
  return { value: higher, ceiling: higher, beyond: beyond + 1 };
}
