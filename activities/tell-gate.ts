// What the end of one request tells the gate about its whole account: closed until an instant, open, or in need of a person.
import type { AttemptEnd } from './attempt';
import type { Closing, Gate, Permit } from './gate-port';

/** A throttle of more than this row closes the gate, that of an endpoint only for its tool, also when its wait is longer than any hold and the call therefore ends; else null. */
export function closingOf(end: AttemptEnd): Closing | null {
  if ((end.kind !== 'hold' && end.kind !== 'rejected') || end.scope === 'row') return null;
  const { retryAtMs, status, said } = end;
  if (retryAtMs === undefined) return null;
  const { scope } = end;
  const reason = end.kind === 'hold' ? end.reason : 'throttled';
  return {
    retryAtMs,
    reason,
    scope,
    ...(status === undefined ? {} : { status }),
    ...(said === undefined ? {} : { said }),
  };
}

/** Ends without an answer, or without a request. */
const UNANSWERED = ['RETRIES_EXHAUSTED', 'INVALID_REQUEST'];

/** The provider answered, and not with an error of its own: a 5xx, a lost connection or a request that never left proves nothing. */
export function letsUsIn(end: AttemptEnd): boolean {
  if (end.kind === 'value' || end.kind === 'missed' || end.kind === 'hold') return true;
  if (end.kind === 'job') return end.status !== null && end.status < 500;
  if (end.kind !== 'rejected') return false;
  return end.status === undefined ? !UNANSWERED.includes(end.code) : end.status < 500;
}

/** Returns the end of the request, of a hold with the instant of the gate, jitter included, until which the call waits. */
export function tellGate(permit: Permit | null, gate: Gate | null, end: AttemptEnd): AttemptEnd {
  if (!permit || !gate) return end;
  const closing = closingOf(end);
  if (closing) {
    const retryAtMs = permit.throttled(closing);
    return 'retryAtMs' in end ? { ...end, retryAtMs } : end;
  }
  if (letsUsIn(end)) permit.succeeded();
  if (end.kind === 'rejected' && end.needsPerson && end.scope !== 'row') gate.needsPerson(end.message);
  const later = end.kind === 'value' || end.kind === 'job' ? end.laterHold : undefined;
  if (later && later.scope !== 'row') {
    const { retryAtMs, scope, said } = later;
    permit.restUntil({ retryAtMs, reason: 'throttled', scope, ...(said === undefined ? {} : { said }) });
  }
  return end;
}
