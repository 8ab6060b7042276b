// The one error that a row program meets when a call has truly failed; holds and retries never surface.
import type { CallFailureCode } from '../contracts/failures';
import type { CallEnd } from './call-tool';

type FailedEnd = Extract<CallEnd, { kind: 'rejected' | 'unknown' }>;

/**
 * Thrown by `ctx.tool`. `code`: a code of docs/errors.md. `unknown`: the request may have been charged and must not be
 * bought again by a fallback. `retryAtMs`: the instant that the provider gave, if any.
 */
export class ToolCallError extends Error {
  override readonly name = 'ToolCallError';
  readonly code: CallFailureCode;
  readonly status: number | null;
  readonly unknown: boolean;
  readonly retryAtMs: number | null;

  constructor(
    readonly column: string,
    readonly end: FailedEnd,
  ) {
    super(end.message);
    this.code = end.code;
    this.unknown = end.kind === 'unknown';
    this.status = end.kind === 'rejected' ? (end.status ?? null) : null;
    this.retryAtMs = end.kind === 'rejected' ? (end.retryAtMs ?? null) : null;
  }
}
