// What an answer is: explicit stop, then the profile's rules, then what its status says. The first match wins (rules 3.3 to 3.10).
import type { AnswerView } from './answer-view';
import { valuesAt } from './body-view';
import { saysSpent } from './buckets';
import { headerLines } from './headers';
import { neverFits, statedWait } from './hints';
import { matchRule } from './match-rule';
import type { Meaning } from './profiles/profile';
import type { TerminalCode } from './verdict-codes';

/** A {@link Meaning}, or what only common rules say: done, or wait with this row alone. */
export type AnswerClass = Meaning | { class: 'success' } | { class: 'row_hold' };

/** `expects`: what a 2xx body must be. Total: every status and any body has a class. */
export function classify(view: AnswerView, expects: 'json' | 'any'): AnswerClass {
  const refused = view.status < 200 || view.status > 299;
  if (refused && serverSaysStop(view)) return terminal('NO_RETRY_ADVISED');
  const meaning = matchRule(view);
  if (meaning?.class === 'throttle' && neverFits(view)) return terminal('QUERY_TOO_EXPENSIVE');
  return meaning ?? (refused ? byStatus(view) : successOrNot(view, expects));
}

function serverSaysStop(view: AnswerView): boolean {
  if (headerLines(view.headers, 'stripe-should-retry').some((value) => value.trim() === 'false')) return true;
  return headerLines(view.headers, 'grpc-retry-pushback-ms').some((value) => !/^[0-9]+$/.test(value.trim()));
}

function byStatus(view: AnswerView): AnswerClass {
  const { status } = view;
  if (status === 401) return { class: 'person', code: 'AUTH_INVALID' };
  if (status === 402) return { class: 'person', code: 'OUT_OF_CREDITS' };
  if (status === 429 || (status === 403 && saysSpent(view))) return { class: 'throttle' };
  if (status === 529 || (status === 503 && statedWait(view) !== null)) return { class: 'unavailable' };
  if (status === 408) return { class: 'transient', code: 'REQUEST_TIMEOUT', mayHaveActed: false };
  if (status === 425) return { class: 'transient', code: 'TOO_EARLY', mayHaveActed: false, once: true };
  if (status >= 500 && status <= 599) return { class: 'transient', code: 'SERVER_ERROR', mayHaveActed: true };
  const redirect = status >= 300 && status <= 399;
  if ((redirect || status === 413) && statedWait(view) !== null) return { class: 'row_hold' };
  return terminal(redirect ? 'REDIRECT_NOT_FOLLOWED' : (REFUSALS[status] ?? otherRefusal(status)));
}

const REFUSALS: Record<number, TerminalCode> = {
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  410: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  451: 'NOT_PERMITTED',
};

const otherRefusal = (status: number): TerminalCode =>
  status >= 400 && status <= 499 ? 'INVALID_REQUEST' : 'PROVIDER_ERROR';

/** An empty body is whole and has no error in it; whether it is a result is for the tool to say. */
function successOrNot(view: AnswerView, expects: 'json' | 'any'): AnswerClass {
  if (!view.bodyComplete) return { class: 'transient', code: 'BODY_CUT', mayHaveActed: true };
  const empty = view.body.text.trim() === '';
  if (expects === 'json' && !empty && !view.body.isJson) {
    return { class: 'transient', code: 'RESPONSE_INVALID', mayHaveActed: true };
  }
  return view.profile.errorMembers.some((name) => hasError(view, name))
    ? terminal('PROVIDER_ERROR')
    : { class: 'success' };
}

function hasError(view: AnswerView, name: string): boolean {
  const [member] = valuesAt(view.body.documents[0], name);
  if (member === null || typeof member !== 'object') return Boolean(member);
  return Object.keys(member).length > 0;
}

const terminal = (code: TerminalCode): AnswerClass => ({ class: 'terminal', code });
