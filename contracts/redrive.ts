// What a redrive takes over from an earlier map: answers that were bought, and where billing of the other calls stands.
import type { Json, StoredValue } from './outcomes';
import type { LedgerEntry } from './results';

/**
 * A call of the same row in an earlier map. With a receipt its answer is kept: `value` when it found something, none when it
 * missed. Without one the call is made again, under the billing number that the entry ends with.
 */
export interface EarlierCall {
  entry: LedgerEntry;
  value?: Json | StoredValue;
}

/** How a map is told to go on with an earlier one; see contracts/schemas/redrive-spec.ts. */
export interface RedriveOrigin {
  /** Id of the earlier map, which may have been a redrive itself. */
  map: string;
  /** Rows with an unknown outcome are run again too. */
  unknown: boolean;
}
