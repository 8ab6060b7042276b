// What a request without a usable answer means (rule 3.2): whether the provider may have acted decides.
import { transientVerdict } from './clamp';
import type { ReadContext, TransportCode, TransportFailure, Verdict } from './verdict';
import type { TransientCode } from './verdict-codes';

const ENDS: Partial<Record<TransportCode, 'ABORTED' | 'INVALID_REQUEST' | 'RESPONSE_TOO_LARGE'>> = {
  ABORTED: 'ABORTED',
  REQUEST_INVALID: 'INVALID_REQUEST',
  TOO_LARGE: 'RESPONSE_TOO_LARGE',
};

export function readTransportFailure(failure: TransportFailure, context: ReadContext): Verdict {
  const { code, sent, answerStarted } = failure.transportError;
  const end = ENDS[code];
  if (end !== undefined) return { kind: 'terminal', scope: 'row', code: end, needsPerson: false };
  const mayHaveActed = sent && code !== 'STREAM_REFUSED';
  return transientVerdict(
    { code: transientCode(code, answerStarted ?? false), mayHaveActed },
    failure.observedAtMs,
    context,
  );
}

function transientCode(code: TransportCode, answerStarted: boolean): TransientCode {
  switch (code) {
    case 'TIMED_OUT':
      return answerStarted ? 'BODY_TIMEOUT' : 'TIMEOUT';
    case 'CONNECT_FAILED':
    case 'STREAM_REFUSED':
    case 'BODY_CUT':
      return code;
    case 'RESET':
      return answerStarted ? 'BODY_CUT' : 'RESET';
    default:
      return 'RESPONSE_INVALID';
  }
}
