// The reader of provider answers, the one entry: an answer and its circumstances in, a verdict out. Pure; clock and random are arguments.
import { type AnswerView, viewAnswer } from './answer-view';
import { quotaProbeMs } from './backoff';
import { innerAnswer } from './batch';
import { nextMidnight } from './calendar';
import { holdVerdict, transientVerdict } from './clamp';
import { type AnswerClass, classify } from './classify';
import { instantAfter } from './clock';
import type { Hint } from './hint';
import { hintOf, statedWait } from './hints';
import { readTransportFailure } from './transport-failure';
import type { Answer, HttpAnswer, ReadContext, Verdict } from './verdict';

/** Total on any answer: never throws, never a NaN, never an instant earlier than the server asked for. */
export function readAnswer(answer: Answer, context: ReadContext): Verdict {
  if (context.aborted) return { kind: 'terminal', scope: 'row', code: 'ABORTED', needsPerson: false };
  if ('transportError' in answer) return readTransportFailure(answer, context);
  const { batch } = context.profile;
  if (batch === undefined || context.batchItem === undefined) return readHttpAnswer(answer, context);
  return readBatchItem(answer, context, innerAnswer(answer, batch, context.batchItem));
}

/** A refusal of the whole batch counts for the account; the refusal of one item holds that row alone. */
function readBatchItem(outer: HttpAnswer, context: ReadContext, inner: HttpAnswer | null): Verdict {
  if (outer.status < 200 || outer.status > 299 || !outer.bodyComplete) return readHttpAnswer(outer, context);
  if (inner === null) {
    return transientVerdict({ code: 'RESPONSE_INVALID', mayHaveActed: true }, outer.observedAtMs, context);
  }
  const verdict = readHttpAnswer(inner, context);
  return verdict.kind === 'hold' ? { ...verdict, scope: 'row' } : verdict;
}

function readHttpAnswer(answer: HttpAnswer, context: ReadContext): Verdict {
  const view = viewAnswer(answer, context);
  return verdictOf(classify(view, context.expects ?? 'json'), view, context);
}

function verdictOf(found: AnswerClass, view: AnswerView, context: ReadContext): Verdict {
  const { observedAtMs } = view.clock;
  const { floorMs, throttleScope } = view.profile;
  switch (found.class) {
    case 'success':
      return { kind: 'success', ...holdAfterSuccess(view) };
    case 'no_match':
      return { kind: 'success', code: 'NO_MATCH', ...holdAfterSuccess(view) };
    case 'person':
      return { kind: 'terminal', scope: 'account', code: found.code, needsPerson: true };
    case 'terminal':
      return { kind: 'terminal', scope: found.scope ?? 'row', code: found.code, needsPerson: false };
    case 'transient':
      return transientVerdict(found, observedAtMs, context);
    case 'throttle': {
      const wait = { reason: 'throttled', scope: found.scope ?? throttleScope, hint: hintOf(view, true) } as const;
      return holdVerdict({ ...wait, floorMs: Math.max(floorMs, found.floorMs ?? 0) }, observedAtMs, context);
    }
    case 'quota': {
      const hint = hintOf(view, true) ?? untilReset(view, found.zone, context);
      const wait = { reason: 'quota', scope: 'account', hint, code: 'QUOTA_EXHAUSTED' } as const;
      return holdVerdict({ ...wait, floorMs }, observedAtMs, context);
    }
    case 'unavailable': {
      const wait = { reason: 'unavailable', scope: 'provider', hint: statedWait(view) } as const;
      return holdVerdict({ ...wait, floorMs: 0 }, observedAtMs, context);
    }
    case 'pending': {
      const wait = { reason: 'row_locked', scope: 'row', hint: statedWait(view), code: 'PENDING' } as const;
      return holdVerdict({ ...wait, floorMs: found.floorMs }, observedAtMs, context);
    }
    case 'row_hold': {
      const wait = { reason: 'unavailable', scope: 'row', hint: statedWait(view) } as const;
      return holdVerdict({ ...wait, floorMs: 0 }, observedAtMs, context);
    }
  }
}

/** The row is done, but the next request of the scope was asked to wait. What a cache kept says nothing about now. */
function holdAfterSuccess(view: AnswerView) {
  const hint = view.fromCache ? null : statedWait(view);
  if (hint === null || hint.delayMs <= 0) return {};
  const retryAtMs = instantAfter(view.clock.observedAtMs, hint.delayMs);
  return { hold: { retryAtMs, scope: view.profile.throttleScope, ...(hint.said && { said: hint.said }) } };
}

/** By the calendar of the profile, else a guess that nobody has said. */
function untilReset(view: AnswerView, zone: string | undefined, context: ReadContext): Hint {
  const { serverNowMs } = view.clock;
  const midnight = zone === undefined ? null : nextMidnight(serverNowMs, zone);
  if (midnight === null) return { delayMs: quotaProbeMs(context.random), said: null };
  return { delayMs: midnight - serverNowMs, said: `next midnight in ${zone}` };
}
