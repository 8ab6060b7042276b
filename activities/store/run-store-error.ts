// The one error of run stores.
import type { MapFailureCode } from '../../contracts/failures';

/** Thrown by every run store; `code` is one of the map's failure codes. */
export class RunStoreError extends Error {
  override readonly name = 'RunStoreError';

  constructor(
    readonly code: Extract<
      MapFailureCode,
      'MAP_EXISTS' | 'MAP_NOT_IN_STORE' | 'INVALID_MAP_ID' | 'STORE_FAILED' | 'RESULTS_INCONSISTENT'
    >,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
