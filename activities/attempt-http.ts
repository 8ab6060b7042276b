// One request of an HTTP tool: built, sent once, and its answer read. No secret leaves in anything this returns.
import { ANSWER_BYTES } from '../contracts/limits';
import type { Json } from '../contracts/outcomes';
import type { AttemptEnd, AttemptRequest, NotSendable, Prepare } from './attempt';
import type { Profile } from './http/profiles/profile';
import { type Answered, type RawAnswer, type SendRequest, toAnswer } from './http/raw-answer';
import { readAnswer } from './http/read-answer';
import type { Verdict } from './http/verdict';
import { redactJson } from './redact-json';
import { redact } from './tools/redact';
import type { HttpTool, ReadValue, ToolAnswer, ToolRequest } from './tools/tool';
import { Rejected } from './tools/tool-errors';

export interface HttpAttemptDeps {
  send: (request: SendRequest) => Promise<RawAnswer>;
  readSecret: (tool: HttpTool, account: string) => Promise<string | null>;
  profileOf: (tool: HttpTool) => Profile;
  random: () => number;
}

/** Rejections that somebody can mend and then go on from: a redrive is worth while. */
const isRepairable = (verdict: Extract<Verdict, { kind: 'terminal' }>): boolean =>
  verdict.needsPerson || verdict.retryAtMs !== undefined || verdict.code === 'RETRIES_EXHAUSTED';

/** Header lines as a tool's expressions see them: names in lower case, lines of one name joined. */
function headersOf(raw: Answered): { [name: string]: string } {
  const headers: { [name: string]: string } = Object.create(null);
  for (const [line, value] of raw.rawHeaders) {
    const name = line.toLowerCase();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

function toolAnswer(raw: Answered, input: Json): ToolAnswer {
  const text = raw.body.toString('utf8');
  let body: Json = text;
  try {
    body = JSON.parse(text) as Json;
  } catch {
    // Not JSON: expressions see the text.
  }
  return { status: raw.status, headers: headersOf(raw), body, input };
}

const whatFailed = (raw: RawAnswer): string =>
  raw.kind === 'failed' ? raw.message : `the provider answered ${raw.status}`;

function endOfTerminal(verdict: Extract<Verdict, { kind: 'terminal' }>, raw: RawAnswer, detail: string): AttemptEnd {
  const { code, scope, needsPerson, retryAtMs } = verdict;
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
    charged: 0,
  };
  if (raw.kind === 'answer') end.status = raw.status;
  if (retryAtMs !== undefined) end.retryAtMs = retryAtMs;
  return end;
}

/** The start of a refusal's body, for a person to read; secrets are taken out by the caller. */
const excerpt = (raw: Answered): string => raw.body.subarray(0, 300).toString('utf8').replace(/\s+/g, ' ').trim();

function endOfVerdict(verdict: Verdict, raw: RawAnswer): AttemptEnd | null {
  const status = raw.kind === 'answer' ? { status: raw.status } : {};
  switch (verdict.kind) {
    case 'success':
      return null;
    case 'hold': {
      const { reason, scope, retryAtMs } = verdict;
      const isDefinite = raw.kind === 'answer' && raw.status >= 400 && raw.status < 500;
      return { kind: 'hold', reason, scope, retryAtMs, isDefinite, ...status };
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
      return endOfTerminal(verdict, raw, raw.kind === 'answer' ? excerpt(raw) : '');
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
  return invalidResponse(read.message, raw.status, tool);
}

/** A 2xx that is not what the tool promises: the provider counts it as an answer. */
const invalidResponse = (message: string, status: number | undefined, tool: HttpTool): AttemptEnd => ({
  kind: 'rejected',
  code: 'RESPONSE_INVALID',
  message,
  scope: 'row',
  needsPerson: false,
  repairable: false,
  charged: tool.price,
  ...(status === undefined ? {} : { status }),
});

async function interpret(
  raw: RawAnswer,
  tool: HttpTool,
  method: string,
  request: AttemptRequest,
  deps: HttpAttemptDeps,
): Promise<AttemptEnd> {
  const verdict = readAnswer(toAnswer(raw), {
    request: { method, idempotent: tool.effect === 'read' && tool.price === 0, keyed: tool.idempotent },
    profile: deps.profileOf(tool),
    attempt: request.attempt,
    throttleNumber: request.throttleNumber,
    aborted: raw.kind === 'failed' && raw.code === 'ABORTED',
    random: deps.random,
  });
  if (raw.kind === 'answer' && raw.bodyComplete && mayBeMiss(verdict)) {
    const answer = toolAnswer(raw, request.input.input);
    const end = endOfValue(await tool.readValue(answer), raw, verdict, tool, await tool.readRequestId(answer));
    if (end) return end;
  }
  const end = endOfVerdict(verdict, raw);
  if (end) return end;
  return {
    kind: 'transient',
    code: 'BODY_CUT',
    message: 'the body of the answer is not whole',
    retryAtMs: raw.observedAtMs,
  };
}

/** Takes the account's secret out of everything: a provider may echo it in an error or in its answer. */
function withoutSecret(end: AttemptEnd, secret: string | null): AttemptEnd {
  if (secret === null) return end;
  const clean = { ...end };
  if ('value' in clean) clean.value = redactJson(clean.value, secret);
  if ('message' in clean) clean.message = redact(clean.message, [secret]);
  if ('providerRequestId' in clean) clean.providerRequestId = redact(clean.providerRequestId ?? '', [secret]);
  return clean;
}

const noSecrets = (secret: string | null): string[] => (secret === null ? [] : [secret]);

function unsendable(error: unknown, secret: string | null): NotSendable {
  const message = redact(error instanceof Error ? error.message : String(error), noSecrets(secret));
  const code = error instanceof Rejected ? error.code : 'REQUEST_INVALID';
  return { code, message, repairable: code === 'SECRET_UNAVAILABLE' };
}

/** One request of an HTTP tool: one call of `deps.send`, whose answer is read whatever it is. */
export function prepareHttp(tool: HttpTool, deps: HttpAttemptDeps): Prepare {
  return async (request) => {
    let secret: string | null = null;
    let built: ToolRequest;
    try {
      secret = await deps.readSecret(tool, request.input.account);
      const idempotencyKey = tool.idempotent ? request.idempotencyKey : null;
      built = await tool.buildRequest(request.input.input, { secret, idempotencyKey, baseUrl: tool.baseUrl });
    } catch (error) {
      return unsendable(error, secret);
    }
    return async (signal, marks) => {
      const raw = await deps.send({
        ...built,
        timeoutMs: tool.timeoutMs,
        maxBodyBytes: ANSWER_BYTES,
        signal,
        onSent: marks.leaving,
      });
      marks.answered();
      try {
        return withoutSecret(await interpret(raw, tool, built.method, request, deps), secret);
      } catch (error) {
        const message = `the answer cannot be read: ${redact(String(error), noSecrets(secret))}`;
        return invalidResponse(message, raw.kind === 'answer' ? raw.status : undefined, tool);
      }
    };
  };
}
