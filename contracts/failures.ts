// The closed list of failure codes. Each has an anchor of the same name in docs/errors.md; a test compares the two.

/** Codes that end one call and with it, unless the row program catches them, its row. */
export const CALL_FAILURE_CODES = [
  'ABORTED',
  'AMBIGUOUS_OUTCOME',
  'ASYNC_OPERATION_FAILED',
  'ASYNC_OPERATION_TIMEOUT',
  'AUTH_INVALID',
  'AUTH_OR_CREDITS',
  'CANCELLED_AFTER_SEND',
  'DEADLINE_BEFORE_RETRY',
  'FORBIDDEN',
  'INVALID_REQUEST',
  'NEEDS_PERSON',
  'NO_RETRY_ADVISED',
  'NOT_FOUND',
  'NOT_PERMITTED',
  'OUT_OF_CREDITS',
  'PAYLOAD_TOO_LARGE',
  'PROVIDER_ERROR',
  'PROVIDER_EXHAUSTED',
  'QUERY_TOO_EXPENSIVE',
  'QUOTA_EXHAUSTED',
  'RATE_LIMIT_RETRIES_EXHAUSTED',
  'RATE_LIMIT_WAIT_TOO_LONG',
  'REDIRECT_NOT_FOLLOWED',
  'REQUEST_INVALID',
  'RESOLVED_AS_FAILED',
  'RESPONSE_INVALID',
  'RESPONSE_TOO_LARGE',
  'RETRIES_EXHAUSTED',
  'SECRET_UNAVAILABLE',
  'TOOL_FAILED',
  'TOOL_UNKNOWN',
  'WORKER_LOST',
] as const;

/** Codes that end a row for another reason than one call. */
export const ROW_FAILURE_CODES = [
  'ROW_PROGRAM_ERROR',
  'EXPRESSION_FAILED',
  'RESULT_INVALID',
  'RESULT_TOO_LARGE',
  'ROW_TERMINATED',
  'CANCELLED',
  'NOT_RUN',
] as const;

/** Codes that end a whole map, or refuse it at admission. */
export const MAP_FAILURE_CODES = [
  'INVALID_SPEC',
  'INVALID_MAP_ID',
  'MAP_EXISTS',
  'REDRIVE_REFUSED',
  'EXPORT_REFUSED',
  'DATASET_UNREADABLE',
  'OUTPUT_EXISTS',
  'OUTPUT_IN_USE',
  'OUTPUT_IS_INPUT',
  'OUTPUT_UNWRITABLE',
  'STORE_FAILED',
  'MAP_NOT_IN_STORE',
  'ROW_FAILED',
  'RESULTS_INCONSISTENT',
] as const;

/** Codes of the command line and of a worker's start. */
export const OPERATOR_FAILURE_CODES = [
  'SERVER_UNREACHABLE',
  'NAMESPACE_NOT_FOUND',
  'MAP_NOT_FOUND',
  'MAP_ENDED',
  'ROW_NOT_FOUND',
  'RESOLVE_REFUSED',
  'GATE_NOT_FOUND',
  'NO_WORKER',
  'PROVIDER_FILE_INVALID',
  'CONFIG_INVALID',
] as const;

export type CallFailureCode = (typeof CALL_FAILURE_CODES)[number];
export type RowFailureCode = (typeof ROW_FAILURE_CODES)[number];
export type MapFailureCode = (typeof MAP_FAILURE_CODES)[number];
export type OperatorFailureCode = (typeof OPERATOR_FAILURE_CODES)[number];
export type FailureCode = CallFailureCode | RowFailureCode | MapFailureCode | OperatorFailureCode;

/** One thing wrong with a spec, a provider file or a dataset: where (a path such as `columns[2].tool`, or `file.csv:12`) and what. */
export interface Problem {
  path: string;
  message: string;
}

/** One line a person can act on: the code, what happened, and where to read on. */
export function failureLine(code: FailureCode, message: string): string {
  return `${code}: ${message} (docs/errors.md#${code.toLowerCase()})`;
}
