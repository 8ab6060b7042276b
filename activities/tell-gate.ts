// What the answer of a call tells its gate about the whole account.
import type { AttemptEnd } from './attempt';
import type { Gate, Permit } from './gate-port';

/** Returns the end of the request, of a hold with the instant of the gate, jitter included, until which the call waits. */
export function tellGate(permit: Permit | null, gate: Gate | null, end: AttemptEnd): AttemptEnd {
  if (!permit || !gate) return end;
  if (end.kind === 'hold' && end.scope !== 'row') {
    const scope = end.scope === 'provider' ? 'provider' : 'account';
    const status = end.status === undefined ? {} : { status: end.status };
    return { ...end, retryAtMs: permit.throttled({ retryAtMs: end.retryAtMs, reason: end.reason, scope, ...status }) };
  }
  if (end.kind === 'value' || end.kind === 'missed' || end.kind === 'rejected' || end.kind === 'hold')
    permit.succeeded();
  if (end.kind === 'rejected' && end.needsPerson && end.scope !== 'row') gate.needsPerson(end.message);
  if (end.kind === 'value' && end.laterHold && end.laterHold.scope !== 'row') {
    permit.throttled({ retryAtMs: end.laterHold.retryAtMs, reason: 'throttled' });
  }
  return end;
}
