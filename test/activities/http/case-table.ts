// Runs the table of answers (test/cases/ratelimit-cases.json) through the reader and says what differs from what the table expects.
import { jitterMs } from '../../../activities/http/backoff';
import { remainingMs } from '../../../activities/http/clamp';
import { profileOf } from '../../../activities/http/profiles/registry';
import { readAnswer } from '../../../activities/http/read-answer';
import type { Answer, ReadContext, TransportFailure, Verdict } from '../../../activities/http/verdict';
import cases from '../../cases/ratelimit-cases.json';

export interface AnswerCase {
  id: string;
  provider: string;
  request: { method: string; idempotent: boolean };
  response: {
    status: number | null;
    headers: Record<string, string>;
    body: string;
    bodyShape?: { bytes?: number; stallsAfterBytes?: number };
    transportError?: string;
  };
  observedAt: string;
  context?: {
    attempt?: number;
    maxAttempts?: number;
    consecutiveThrottles?: number;
    maxConsecutiveThrottles?: number;
    idempotencyKey?: string;
    transientCapMs?: number;
    rowIsBatchItem?: string;
    rowDeadline?: string;
    event?: string;
    persistedHold?: { retryAt: string };
    existingHold?: { retryAt: string };
    poolConnections?: number;
    repeat?: number;
    samples?: number;
    waitingRows?: number;
  };
  expect: {
    kind: 'retry_hold' | 'retry_transient' | 'terminal' | 'success';
    retryAt?: string;
    minDelayMs?: number;
    maxDelayMs?: number;
    scope?: string;
    code?: string;
    /** What a scenario has to observe besides the delay; carried out in test/asserts. */
    assert?: { [name: string]: string | number | boolean };
  };
  why: string;
}

export const answerCases = cases as unknown as AnswerCase[];

const KINDS = { retry_hold: 'hold', retry_transient: 'transient', terminal: 'terminal', success: 'success' } as const;

const TRANSPORT_ERRORS: Record<string, TransportFailure['transportError']> = {
  TIMEOUT_AFTER_SEND: { code: 'TIMED_OUT', sent: true },
  ECONNREFUSED: { code: 'CONNECT_FAILED', sent: false },
  ECONNRESET_REUSED_SOCKET_NO_RESPONSE: { code: 'RESET', sent: true },
  REFUSED_STREAM: { code: 'STREAM_REFUSED', sent: true },
};

/** The draws that every case is read with: the least, one in the middle, the most. */
const DRAWS = [0, 0.5, 1 - Number.EPSILON];

/** One line for each difference; empty when the reader says what the table says. */
export function differences(one: AnswerCase): string[] {
  return DRAWS.flatMap((draw) => {
    const random = () => draw;
    // A restart is no answer: what is left of the stored hold is all there is to say.
    if (one.response.transportError === 'NONE_RESUME') return resumeDifferences(one, random);
    return compare(one, readAnswer(answerOf(one), contextOf(one, random)), random);
  }).map((line) => `${one.id}: ${line}`);
}

export function answerOf({ response, observedAt }: AnswerCase): Answer {
  const observedAtMs = instantOf(observedAt);
  const { transportError, bodyShape } = response;
  if (bodyShape?.stallsAfterBytes !== undefined) {
    return { transportError: { code: 'TIMED_OUT', sent: true, answerStarted: true }, observedAtMs };
  }
  const failure = transportError === undefined ? undefined : TRANSPORT_ERRORS[transportError];
  if (failure) return { transportError: failure, observedAtMs };
  return {
    status: response.status ?? 0,
    rawHeaders: Object.entries(response.headers),
    bodyPrefix: response.body,
    bodyComplete: bodyShape === undefined,
    observedAtMs,
  };
}

export function contextOf({ request, provider, context }: AnswerCase, random: () => number): ReadContext {
  return {
    request: { ...request, keyed: context?.idempotencyKey !== undefined },
    profile: profileOf(provider),
    attempt: context?.attempt ?? 1,
    throttleNumber: context?.consecutiveThrottles ?? 1,
    random,
    ...(context?.maxAttempts !== undefined && { maxAttempts: context.maxAttempts }),
    ...(context?.maxConsecutiveThrottles !== undefined && { maxThrottles: context.maxConsecutiveThrottles }),
    ...(context?.transientCapMs !== undefined && { transientCapMs: context.transientCapMs }),
    ...(context?.rowIsBatchItem !== undefined && { batchItem: context.rowIsBatchItem }),
    ...(context?.rowDeadline !== undefined && { deadlineMs: instantOf(context.rowDeadline) }),
    ...(context?.event?.startsWith('abort') && { aborted: true }),
  };
}

function compare({ expect, observedAt }: AnswerCase, verdict: Verdict, random: () => number): string[] {
  const found: string[] = [];
  const check = (what: string, got: unknown, expected: unknown) => {
    if (got !== expected) found.push(`${what} is ${String(got)}, expected ${String(expected)}`);
  };
  check('kind', verdict.kind, KINDS[expect.kind]);
  const waits = verdict.kind === 'success' ? verdict.hold : verdict;
  if (expect.scope !== undefined) check('scope', waits?.scope, expect.scope === 'auth' ? 'account' : expect.scope);
  if (expect.code !== undefined) check('code', 'code' in verdict ? verdict.code : undefined, expect.code);
  const retryAtMs = waits?.retryAtMs;
  if (expect.retryAt !== undefined) check('retryAtMs', retryAtMs, instantOf(expect.retryAt));
  if (expect.minDelayMs === undefined || expect.maxDelayMs === undefined) return found;
  if (retryAtMs === undefined) return [...found, 'no instant'];
  const delayMs = retryAtMs - instantOf(observedAt);
  return [...found, ...outside(expect, delayMs + (verdict.kind === 'transient' ? 0 : jitterMs(delayMs, random)))];
}

function resumeDifferences({ context, observedAt, expect }: AnswerCase, random: () => number): string[] {
  const leftMs = remainingMs(instantOf(context?.persistedHold?.retryAt ?? ''), instantOf(observedAt));
  return outside(expect, leftMs + jitterMs(leftMs, random));
}

function outside({ minDelayMs = 0, maxDelayMs = 0 }: AnswerCase['expect'], delayMs: number): string[] {
  const within = delayMs >= minDelayMs && delayMs <= maxDelayMs;
  return within ? [] : [`delay is ${delayMs} ms, expected ${minDelayMs} to ${maxDelayMs} ms`];
}

/** The table writes instants in ISO form with Z. */
function instantOf(text: string): number {
  return Date.parse(text);
}
