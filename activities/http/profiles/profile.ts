// How a provider says what in its answers, as data: shared code reads a profile and never a provider's name. Plain JSON, so that a provider file can add rules.
import type { HoldScope } from '../../../contracts/outcomes';
import type { TerminalCode, TransientCode } from '../verdict-codes';

/** True when one value found there equals one of `is` (as text) or matches `like`; without either, when there is a value at all. */
export interface FieldTest {
  /** Path into the JSON body, such as `error.code` or `errors[].reason`; `[]` stands for any element. */
  path?: string;
  /** Header name, in lower case. */
  header?: string;
  /** Name of an XML element; its first occurrence counts. */
  xml?: string;
  /** The body as text, for pages that are neither. */
  text?: true;
  is?: readonly string[];
  /** Regular expression, in any case. On prose only where a provider has nothing else, and anchored to its own sentences. */
  like?: string;
}

/** A status, or all of its hundred. */
export type StatusTest = number | '2xx' | '4xx' | '5xx';

/** What an answer is when its status is one of these and all fields hold. */
export interface ProfileRule {
  when: { status?: readonly StatusTest[]; fields?: readonly FieldTest[] };
  means: Meaning;
}

export type Meaning =
  /** Too many requests. `floorMs`: the least wait when the answer names no usable time. */
  | { class: 'throttle'; scope?: HoldScope; floorMs?: number }
  /** A quota that time cures. `zone`: unless the answer says otherwise it resets at the next midnight there. */
  | { class: 'quota'; zone?: string }
  /** Somebody must pay, or fix the key. */
  | { class: 'person'; code: TerminalCode }
  /** The provider is down or full for everybody. */
  | { class: 'unavailable' }
  /** This row may go again. `mayHaveActed`: only when a repetition is harmless. `once`: a second time it ends. */
  | { class: 'transient'; code: TransientCode; mayHaveActed: boolean; once?: boolean }
  /** The provider is still at work on this very row. */
  | { class: 'pending'; floorMs: number }
  | { class: 'no_match' }
  | { class: 'terminal'; code: TerminalCode; scope?: HoldScope };

/** A field that says how long to wait. Without `unit` it is read by the common grammar (dates, epochs by magnitude, seconds, durations). */
export interface WaitField {
  header?: string;
  path?: string;
  unit?: 'ms' | 's' | 'm' | 'duration';
}

/** A pair of headers of one bucket. It is exhausted when `remaining` is 0, or `spent` holds; when both are missing, on a throttle answer. */
export interface BucketFields {
  remaining?: string;
  reset: string;
  spent?: { header: string; is: string };
}

/** A header that holds a JSON object with a bucket's state. */
export interface JsonBucketFields {
  header: string;
  remaining: string;
  reset: string;
}

/** A time in prose: the first group of `like`. Only read where nothing machine-readable says it, or to refine what does. */
export interface ProsePattern {
  path: string;
  like: string;
  unit: 's' | 'duration';
}

/** Paths of a leaking bucket: wait = (requested - available) / rate seconds; requested > maximum never fits. */
export interface CostFields {
  requested: string;
  available: string;
  maximum: string;
  ratePerSecond: string;
}

/** Paths of an answer that carries many: `list` in the body, the rest in each element. */
export interface BatchFields {
  list: string;
  id: string;
  status: string;
  headers: string;
  body: string;
}

export interface Profile {
  name: string;
  /** First match wins. They come before everything that a status alone says. */
  rules: readonly ProfileRule[];
  /** Finer than Retry-After, which is always read. */
  waits: readonly WaitField[];
  buckets: readonly BucketFields[];
  jsonBuckets: readonly JsonBucketFields[];
  prose: readonly ProsePattern[];
  /** What a throttle holds when no rule says otherwise. */
  throttleScope: HoldScope;
  /** The least wait after a throttle that names no usable time. */
  floorMs: number;
  /** Top-level members that make a 2xx an error when they are there and not empty. */
  errorMembers: readonly string[];
  /** Path of an object in the body that repeats headers of an upstream provider. */
  copiedHeaders?: string;
  cost?: CostFields;
  batch?: BatchFields;
}
