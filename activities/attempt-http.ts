// One request of an HTTP tool: built, sent once, and its answer read. No secret leaves in anything this returns.
import { ANSWER_BYTES, JSON_DEPTH } from '../contracts/limits';
import type { AttemptEnd, NotSendable, Prepare } from './attempt';
import type { RawAnswer, SendRequest } from './http/raw-answer';
import { type InterpretDeps, interpret, invalidResponse } from './interpret-answer';
import { redactJson } from './redact-json';
import { toolAnswer } from './tool-answer';
import { redact } from './tools/redact';
import type { HttpTool, ToolRequest } from './tools/tool';
import { Rejected } from './tools/tool-errors';

export interface HttpAttemptDeps extends InterpretDeps {
  send: (request: SendRequest) => Promise<RawAnswer>;
  readSecret: (tool: HttpTool, account: string) => Promise<string | null>;
}

/** Takes the account's secret out of everything: a provider may echo it in an error or in its answer. */
function withoutSecret(end: AttemptEnd, secret: string | null): AttemptEnd {
  if (secret === null) return end;
  const clean = { ...end };
  if ('value' in clean) clean.value = redactJson(clean.value, secret);
  if ('message' in clean) clean.message = redact(clean.message, [secret]);
  if ('said' in clean) clean.said = redact(clean.said ?? '', [secret]);
  if ('laterHold' in clean && clean.laterHold?.said)
    clean.laterHold = { ...clean.laterHold, said: redact(clean.laterHold.said, [secret]) };
  if ('providerRequestId' in clean) clean.providerRequestId = redact(clean.providerRequestId ?? '', [secret]);
  return clean;
}

/** Lists in lists by the ten thousand end the stack before anybody has counted their levels. */
const isTooDeep = (error: unknown): boolean => error instanceof RangeError && /call stack/.test(error.message);

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
        if (tool.readUsed && raw.kind === 'answer')
          marks.used(await tool.readUsed(toolAnswer(raw, request.input.input, secret)));
        return withoutSecret(await interpret(raw, tool, { method: built.method, secret }, request, deps), secret);
      } catch (error) {
        const why = isTooDeep(error) ? `expected at most ${JSON_DEPTH} levels of lists and objects` : String(error);
        const message = `the answer cannot be read: ${redact(why, noSecrets(secret))}`;
        return invalidResponse(message, raw.kind === 'answer' ? raw.status : undefined, tool);
      }
    };
  };
}
