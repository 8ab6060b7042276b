// From the answer of an HTTP tool to the end of its request: the reader of refusals first, then what the provider file says.
import { EXCERPT_CHARACTERS } from '../contracts/limits';
import type { AttemptEnd, AttemptRequest } from './attempt';
import { throttleMs } from './http/backoff';
import type { Profile } from './http/profiles/profile';
import { type Answered, type RawAnswer, toAnswer } from './http/raw-answer';
import { readAnswer } from './http/read-answer';
import type { Verdict } from './http/verdict';
import { toolAnswer } from './tool-answer';
import { redact } from './tools/redact';
import type { HttpTool, ReadValue } from './tools/tool';

export interface InterpretDeps {
  profileOf: (tool: HttpTool) => Profile;
  random: () => number;
}

/** Rejections that somebody can mend and then go on from: a redrive is worth while. */
const isRepairable = (verdict: Extract<Verdict, { kind: 'terminal' }>): boolean =>
  verdict.needsPerson || verdict.retryAtMs !== undefined || verdict.code === 'RETRIES_EXHAUSTED';

const whatFailed = (raw: RawAnswer): string =>
  raw.kind === 'failed' ? raw.message : `the provider answered ${raw.status}`;

function endOfTerminal(
  verdict: Extract<Verdict, { kind: 'terminal' }>,
  raw: RawAnswer,
  detail: string,
  tool: HttpTool,
): AttemptEnd {
  const { code, scope, needsPerson, retryAtMs, said } = verdict;
  const message = detail === '' ? whatFailed(raw) : `${whatFailed(raw)}: ${detail}`;
  if (code === 'ABORTED') return { kind: 'aborted', sent: raw.kind === 'answer' || raw.sent };
  if (code === 'AMBIGUOUS_OUTCOME') return { kind: 'ambiguous', code, message };
  const end: AttemptEnd = {
    kind: 'rejected',
    code,
    message,
    scope,
    needsPerson,
    repairable: isRepairable(verdict),
    // A 2xx like any other for the provider.
    charged: code === 'RESPONSE_TOO_LARGE' ? tool.price : 0,
  };
  if (raw.kind === 'answer') end.status = raw.status;
  if (retryAtMs !== undefined) end.retryAtMs = retryAtMs;
  if (said !== undefined) end.said = said;
  return end;
}

/** The start of a refusal's body, for a person to read. The secret is taken out before the cut, which could leave a part of it. */
function excerpt(raw: Answered, secret: string | null): string {
  const text = raw.body.toString('utf8');
  const clean = secret === null ? text : redact(text, [secret]);
  return clean.slice(0, EXCERPT_CHARACTERS).replace(/\s+/g, ' ').trim();
}

function endOfVerdict(verdict: Verdict, raw: RawAnswer, tool: HttpTool, secret: string | null): AttemptEnd {
  const status = raw.kind === 'answer' ? { status: raw.status } : {};
  switch (verdict.kind) {
    case 'success':
      // Of a body that is not whole only the status is read: the profile knows it as a miss.
      return { kind: 'missed', status: raw.kind === 'answer' ? raw.status : null };
    case 'hold': {
      const { reason, scope, retryAtMs, said } = verdict;
      // A request that is said to be worked on may be charged for.
      const isDefinite = raw.kind === 'answer' && raw.status >= 400 && raw.status < 500 && verdict.code !== 'PENDING';
      return { kind: 'hold', reason, scope, retryAtMs, isDefinite, ...status, ...(said === undefined ? {} : { said }) };
    }
    case 'transient':
      return {
        kind: 'transient',
        code: verdict.code,
        message: whatFailed(raw),
        retryAtMs: verdict.retryAtMs,
        ...status,
      };
    case 'terminal':
      return endOfTerminal(verdict, raw, raw.kind === 'answer' ? excerpt(raw, secret) : '', tool);
  }
}

/** A status that the provider file documents as a miss is an answer, unless the reader saw a refusal of the whole account in it. */
const mayBeMiss = (verdict: Verdict): boolean =>
  verdict.kind === 'success' ||
  (verdict.kind === 'terminal' && !verdict.needsPerson && verdict.scope === 'row' && verdict.code !== 'ABORTED');

function endOfValue(
  read: ReadValue,
  raw: Answered,
  verdict: Verdict,
  tool: HttpTool,
  requestId: string | null,
): AttemptEnd | null {
  const rest = { status: raw.status, ...(requestId === null ? {} : { providerRequestId: requestId }) };
  if (read.kind === 'missed') return { kind: 'missed', ...rest };
  if (verdict.kind !== 'success') return null;
  if (verdict.code === 'NO_MATCH') return { kind: 'missed', ...rest };
  if (read.kind === 'value')
    return { kind: 'value', value: read.value, ...rest, ...(verdict.hold ? { laterHold: verdict.hold } : {}) };
  return { ...invalidResponse(read.message, raw.status, tool), ...rest };
}

/** A 2xx that is not what the tool promises: the provider counts it as an answer. */
export const invalidResponse = (
  message: string,
  status: number | undefined,
  tool: Pick<HttpTool, 'price'>,
): Extract<AttemptEnd, { kind: 'rejected' }> => ({
  kind: 'rejected',
  code: 'RESPONSE_INVALID',
  message,
  scope: 'row',
  needsPerson: false,
  repairable: false,
  charged: tool.price,
  ...(status === undefined ? {} : { status }),
});

/**
 * A repeated request under a key that gets 409: the first one, whose answer was lost, is still being worked on (the status that the
 * Idempotency-Key draft gives it). Its answer is being paid for, so the call waits for it instead of failing.
 */
function keyInUse(verdict: Verdict, raw: RawAnswer, tool: HttpTool, request: AttemptRequest): AttemptEnd | null {
  const isRepeated = request.attempt > 1 || request.input.cursor.billingState === 'open';
  if (!tool.idempotent || !isRepeated || raw.kind !== 'answer' || raw.status !== 409) return null;
  if (verdict.kind !== 'terminal' || verdict.code !== 'INVALID_REQUEST') return null;
  const retryAtMs = raw.observedAtMs + throttleMs(request.input.cursor.throttles + 1);
  return { kind: 'hold', reason: 'row_locked', scope: 'row', retryAtMs, status: 409, isDefinite: false };
}

/**
 * What the answer of an HTTP tool ends the request in. First the reader of refusals, whom nobody overrules where the whole account
 * is meant; then what the provider file says is a value or a documented miss.
 */
export async function interpret(
  raw: RawAnswer,
  tool: HttpTool,
  { method, secret }: { method: string; secret: string | null },
  request: AttemptRequest,
  deps: InterpretDeps,
): Promise<AttemptEnd> {
  const verdict = readAnswer(toAnswer(raw), {
    request: { method, idempotent: tool.effect === 'read' && tool.price === 0, keyed: tool.idempotent },
    profile: deps.profileOf(tool),
    attempt: request.attempt,
    throttleNumber: request.throttleNumber,
    maxHoldMs: tool.giveUpAfterMs,
    aborted: raw.kind === 'failed' && raw.code === 'ABORTED',
    random: deps.random,
  });
  if (raw.kind === 'answer' && raw.bodyComplete && mayBeMiss(verdict)) {
    const answer = toolAnswer(raw, request.input.input, secret);
    const end = endOfValue(await tool.readValue(answer), raw, verdict, tool, await tool.readRequestId(answer));
    if (end) return end;
  }
  const end = keyInUse(verdict, raw, tool, request) ?? endOfVerdict(verdict, raw, tool, secret);
  if (raw.kind !== 'answer' || (end.kind !== 'ambiguous' && end.kind !== 'rejected')) return end;
  // An expression made for results may not fit a refusal: that changes nothing about it.
  const requestId = await tool.readRequestId(toolAnswer(raw, request.input.input, secret)).catch(() => null);
  return requestId === null ? end : { ...end, providerRequestId: requestId };
}
