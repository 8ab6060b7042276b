// Why a call failed for now, or for good: the codes of verdicts, and what a profile may say that an answer means.

const TRANSIENT_CODES = [
  'CONNECT_FAILED',
  'STREAM_REFUSED',
  'TIMEOUT',
  'RESET',
  'BODY_TIMEOUT',
  'BODY_CUT',
  'RESPONSE_INVALID',
  'RESOURCE_BUSY',
  'TOO_EARLY',
  'REQUEST_TIMEOUT',
  'CLOCK_SKEW',
  'SERVER_ERROR',
] as const;
export type TransientCode = (typeof TRANSIENT_CODES)[number];

const TERMINAL_CODES = [
  'ABORTED',
  'AMBIGUOUS_OUTCOME',
  'NO_RETRY_ADVISED',
  'AUTH_INVALID',
  'AUTH_OR_CREDITS',
  'OUT_OF_CREDITS',
  'QUOTA_EXHAUSTED',
  'QUERY_TOO_EXPENSIVE',
  'PROVIDER_ERROR',
  'INVALID_REQUEST',
  'FORBIDDEN',
  'NOT_FOUND',
  'NOT_PERMITTED',
  'PAYLOAD_TOO_LARGE',
  'REDIRECT_NOT_FOLLOWED',
  'RESPONSE_TOO_LARGE',
  'RATE_LIMIT_WAIT_TOO_LONG',
  'RATE_LIMIT_RETRIES_EXHAUSTED',
  'RETRIES_EXHAUSTED',
  'DEADLINE_BEFORE_RETRY',
] as const;
export type TerminalCode = (typeof TERMINAL_CODES)[number];
