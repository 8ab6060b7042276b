// One run of a code tool: its typed errors become the same ends that an HTTP answer has.
import { THROTTLE_FALLBACK_MS } from '../contracts/limits';
import type { AttemptEnd, Prepare } from './attempt';
import type { Clock } from './clock';
import { clampedMs } from './http/clamp';
import { instantAfter } from './http/clock';
import { redactJson } from './redact-json';
import { redact } from './tools/redact';
import type { CodeTool } from './tools/tool';
import { InProgress, Missed, Rejected, Throttled } from './tools/tool-errors';

export interface CodeAttemptDeps {
  clock: Clock;
  readSecret: (tool: CodeTool, name: string, account: string) => Promise<string>;
  log: { info(message: string): void; warn(message: string): void };
}

/** As with an HTTP answer: a wait that is absent, no number, zero or over grows with each throttle in a row, and no wait is so short that it spins. */
function afterThrottle(wantedAtMs: number | null, throttleNumber: number, nowMs: number): number {
  const wantedMs = Number.isFinite(wantedAtMs) ? Number(wantedAtMs) - nowMs : null;
  return instantAfter(nowMs, clampedMs(wantedMs, throttleNumber, THROTTLE_FALLBACK_MS));
}

function endOfThrow(
  error: unknown,
  tool: CodeTool,
  { nowMs, throttleNumber, isAborted }: { nowMs: number; throttleNumber: number; isAborted: boolean },
): AttemptEnd {
  const retryAtMs = nowMs + THROTTLE_FALLBACK_MS;
  if (error instanceof Missed) return { kind: 'missed', status: null };
  if (error instanceof Throttled) {
    return {
      kind: 'hold',
      reason: 'throttled',
      scope: 'account',
      retryAtMs: afterThrottle(error.retryAtMs, throttleNumber, nowMs),
      isDefinite: true,
    };
  }
  if (error instanceof InProgress && tool.idempotent) {
    const waitUntilMs = afterThrottle(error.retryAtMs, throttleNumber, nowMs);
    return { kind: 'hold', reason: 'row_locked', scope: 'row', retryAtMs: waitUntilMs, isDefinite: false };
  }
  const base = { kind: 'rejected', scope: 'row', needsPerson: false, repairable: false } as const;
  if (error instanceof Rejected) return { ...base, code: error.code, message: error.message, charged: error.charged };
  if (isAborted) return { kind: 'aborted', sent: true };
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  if (tool.idempotent || (tool.price === 0 && tool.effect === 'read')) {
    return { kind: 'transient', code: 'TOOL_THREW', message, retryAtMs };
  }
  return { kind: 'ambiguous', code: 'TOOL_FAILED', message: `the tool threw, and may have acted: ${message}` };
}

/** One run of a code tool under its time-out. */
export function prepareCode(tool: CodeTool, deps: CodeAttemptDeps): Prepare {
  return async ({ input, idempotencyKey, throttleNumber }) =>
    async (signal, marks) => {
      marks.leaving();
      const secrets: string[] = [];
      const timeout = AbortSignal.timeout(tool.timeoutMs);
      const clean = (text: string) => redact(text, secrets);
      try {
        const value = await tool.execute(input.input, {
          signal: AbortSignal.any([signal, timeout]),
          idempotencyKey,
          async secret(name) {
            const secret = await deps.readSecret(tool, name, input.account);
            secrets.push(secret);
            return secret;
          },
          log: { info: (message) => deps.log.info(clean(message)), warn: (message) => deps.log.warn(clean(message)) },
        });
        return { kind: 'value', value: secrets.reduce(redactJson, value), status: null };
      } catch (error) {
        const facts = { nowMs: deps.clock.wallMs(), throttleNumber, isAborted: signal.aborted };
        const end = endOfThrow(error, tool, facts);
        return 'message' in end ? { ...end, message: clean(end.message) } : end;
      }
    };
}
