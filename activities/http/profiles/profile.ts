// How a provider says what in its answers, as data: shared code reads a profile and never a provider's name.
import type { HoldScope } from '../../../contracts/outcomes';
import type { TerminalCode, TransientCode } from '../verdict';

/** A value found in an answer equals one of `is` (as text), or matches `like`, or is merely there. Names are paths: `error.code`, `errors[].reason`. */
export interface FieldTest {
  /** Path into the JSON body; `[]` means any element. */
  path?: string;
  /** Header name. */
  header?: string;
  /** First XML element of this name. */
  xml?: string;
  is?: readonly string[];
  /** For providers that have nothing but prose; never a search over the whole text. */
  like?: RegExp;
}

/** What an answer is, when all parts of `when` hold. */
export interface ProfileRule {
  when: { status?: readonly number[]; fields?: readonly FieldTest[] };
  means: Meaning;
}

export type Meaning =
  | { class: 'throttle'; scope?: HoldScope; minDelayMs?: number }
  /** A quota that time cures. `zone`: it resets at the next midnight there. */
  | { class: 'quota'; zone?: string }
  /** Somebody must pay, or fix the key. */
  | { class: 'person'; code: TerminalCode }
  | { class: 'unavailable' }
  | { class: 'transient'; code: TransientCode; mayHaveActed: boolean; once?: boolean }
  | { class: 'pending'; delayMs: number }
  | { class: 'no_match' }
  | { class: 'terminal'; code: TerminalCode; scope?: HoldScope };

export interface Profile {
  name: string;
  /** First match wins; before every rule that is common to all providers. */
  rules: readonly ProfileRule[];
}
