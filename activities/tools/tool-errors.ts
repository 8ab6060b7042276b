// What a tool may throw: a closed set told apart by `kind`. Everything else that a code tool throws is a bug of the tool.
import type { CallFailureCode } from '../../contracts/failures';

export abstract class ToolError extends Error {
  abstract readonly kind: 'throttled' | 'in_progress' | 'missed' | 'rejected';
}

/** The provider asks to wait. `retryAtMs`: local wall clock, not before now; null = it gave no time. */
export class Throttled extends ToolError {
  override name = 'Throttled';
  readonly kind = 'throttled';
  readonly retryAtMs: number | null;
  constructor({ retryAtMs, message }: { retryAtMs: number | null; message?: string }) {
    super(message ?? 'the provider asks to wait');
    this.retryAtMs = retryAtMs;
  }
}

/**
 * The provider is at work on a request with the same idempotency key: the call waits, and asks again under that key. `retryAtMs`: as
 * in {@link Throttled}. Of a tool without a key it is a failure like any other.
 */
export class InProgress extends ToolError {
  override name = 'InProgress';
  readonly kind = 'in_progress';
  readonly retryAtMs: number | null;
  constructor({ retryAtMs, message }: { retryAtMs: number | null; message?: string }) {
    super(message ?? 'the provider is at work on a request with this key');
    this.retryAtMs = retryAtMs;
  }
}

/** A documented "no match": an answer, not a failure. */
export class Missed extends ToolError {
  override name = 'Missed';
  readonly kind = 'missed';
  constructor(message = 'no match') {
    super(message);
  }
}

/** The call has ended without an answer and is not tried again. `charged`: what the provider took all the same. */
export class Rejected extends ToolError {
  override name = 'Rejected';
  readonly kind = 'rejected';
  readonly code: CallFailureCode;
  readonly charged: number;
  constructor(message: string, options: { code?: CallFailureCode; charged?: number } = {}) {
    super(message);
    this.code = options.code ?? 'PROVIDER_ERROR';
    this.charged = options.charged ?? 0;
  }
}

/** The input gives no legal request; nothing was sent. */
export class RequestInvalid extends Rejected {
  override name = 'RequestInvalid';
  constructor(message: string) {
    super(message, { code: 'REQUEST_INVALID' });
  }
}

/** The provider answered, but not what the tool promises. */
export class ResponseInvalid extends Rejected {
  override name = 'ResponseInvalid';
  constructor(message: string) {
    super(message, { code: 'RESPONSE_INVALID' });
  }
}

/** The secret cannot be read; names its reference only. */
export class SecretUnavailable extends Rejected {
  override name = 'SecretUnavailable';
  constructor(message: string) {
    super(message, { code: 'SECRET_UNAVAILABLE' });
  }
}
