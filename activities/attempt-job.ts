// One request of a job: its start, a poll, the fetch of its result, or its end; sent like any other, and its answer turned into how the job stands.
import { dueFor, type JobState } from '../contracts/job';
import type { AttemptEnd, AttemptRequest, Prepare } from './attempt';
import { invalidResponse } from './interpret-answer';
import type { JobReading, JobRules, ReadValue } from './tools/tool';

/** A tool whose calls are jobs, whoever sends its requests. */
export interface JobTool {
  price: number;
  job: JobRules;
}

export interface JobAttemptDeps {
  /** The next request about the job, null = its start. `tellsJob`: its value is a {@link JobReading}, else it is that of the call. */
  requestOf: (job: JobState | null) => { prepare: Prepare; tellsJob: boolean };
  /** Wall clock. */
  nowMs: () => number;
}

type Value = Extract<AttemptEnd, { kind: 'value' }>;

interface Asked {
  tool: JobTool;
  /** As it stood before the request; null = the request starts it. */
  job: JobState | null;
  nowMs: number;
}

/** The end of a job that gives no result any more. */
const failedJob = (message: string, status: number | null, job: JobState): AttemptEnd => ({
  kind: 'rejected',
  code: 'ASYNC_OPERATION_FAILED',
  message,
  scope: 'row',
  needsPerson: false,
  repairable: false,
  charged: dueFor(job),
  job,
  ...(status === null ? {} : { status }),
});

/** When it is polled next: not before its provider file says, nor before a Retry-After of its answer. */
const nextPollMs = ({ tool, nowMs }: Asked, waitUntilMs = 0): number =>
  Math.max(nowMs + tool.job.pollEveryMs, waitUntilMs);

const withPoll = (job: JobState, nowMs: number): JobState => ({ ...job, polls: job.polls + 1, polledAtMs: nowMs });

function endOfResult(answer: ReadValue, end: Value, { tool, job }: Asked): AttemptEnd {
  const { laterHold: _, ...rest } = end;
  if (answer.kind === 'value') return { ...rest, value: answer.value };
  if (answer.kind === 'missed') return { ...rest, kind: 'missed' };
  return {
    ...invalidResponse(answer.message, end.status ?? undefined, tool),
    charged: job?.isCounted ? 0 : tool.price,
  };
}

/** What an answer that was read says about its job. A Retry-After that came with it is the job's own, and closes no gate. */
function endOfReading(end: Value, asked: Asked): AttemptEnd {
  const { tool, job, nowMs } = asked;
  const reading = end.value as unknown as JobReading;
  const { waitIsOurs, pollAtMs } = reading;
  const next = nextPollMs(asked, pollAtMs ?? (waitIsOurs ? end.laterHold?.retryAtMs : undefined));
  const answer = { status: end.status, ...(end.laterHold && !waitIsOurs ? { laterHold: end.laterHold } : {}) };
  if (reading.says === 'started') {
    const { id, address } = reading;
    const charged = tool.job.charged === 'start' ? tool.price : 0;
    const started = { id, phase: 'running' as const, startedAtMs: nowMs, polls: 0, charged };
    const request = end.providerRequestId === undefined ? {} : { providerRequestId: end.providerRequestId };
    return {
      kind: 'job',
      job: { ...started, ...(address === undefined ? {} : { address }) },
      retryAtMs: next,
      ...answer,
      ...request,
    };
  }
  const polled = withPoll(job as JobState, nowMs);
  if (reading.says === 'running') {
    return { kind: 'job', job: polled, retryAtMs: next, ...answer, detail: reading.shown };
  }
  if (reading.says === 'failed') {
    return failedJob(`the job ${polled.id} failed: ${reading.shown}`, end.status, polled);
  }
  if (reading.answer) return endOfResult(reading.answer, end, asked);
  return { kind: 'job', job: { ...polled, phase: 'succeeded' }, retryAtMs: nowMs, ...answer };
}

/** A status by which a provider says that it has not got the job, or not any more. */
const GONE = [404, 410];

/** A request about a running job that told nothing: the job is not over, so it is asked again, as often as its deadline allows. */
function endOfSilence(end: AttemptEnd, asked: Asked, job: JobState): AttemptEnd {
  const isPoll = job.phase !== 'cancelling';
  if (end.kind === 'transient' && isPoll) {
    const retryAtMs = nextPollMs(asked, end.retryAtMs);
    return { kind: 'job', job: withPoll(job, asked.nowMs), retryAtMs, status: end.status ?? null, detail: end.message };
  }
  if (end.kind === 'hold' && end.scope === 'row' && isPoll) {
    const { retryAtMs, status = null } = end;
    return { kind: 'job', job: withPoll(job, asked.nowMs), retryAtMs: nextPollMs(asked, retryAtMs), status };
  }
  if (end.kind === 'rejected' && isPoll && end.scope === 'row' && GONE.includes(end.status ?? 0)) {
    const message = `the provider does not know the job ${job.id} any more: ${end.message}`;
    return failedJob(message, end.status ?? null, withPoll(job, asked.nowMs));
  }
  return end;
}

/** A start under a key that the provider is at work on: its answer is waited for like the job itself. */
function endOfStart(end: AttemptEnd, asked: Asked): AttemptEnd {
  if (end.kind !== 'hold' || end.reason !== 'row_locked') return end;
  return { ...end, reason: 'job_running', retryAtMs: nextPollMs(asked, end.retryAtMs) };
}

/** One request of a job. */
export function prepareJob(tool: JobTool, { requestOf, nowMs }: JobAttemptDeps): Prepare {
  return async (request: AttemptRequest) => {
    const job = request.input.job ?? null;
    const { prepare, tellsJob } = requestOf(job);
    const send = await prepare(request);
    if (typeof send !== 'function') return send;
    return async (signal, marks) => {
      const end = await send(signal, marks);
      const asked: Asked = { tool, job, nowMs: nowMs() };
      if (end.kind === 'value' && tellsJob) return endOfReading(end, asked);
      return job ? endOfSilence(end, asked, job) : endOfStart(end, asked);
    };
  };
}
