// What a job adds to the progress of its call: the job itself, its deadline, and what its end has to count. Pure, the clock is an argument.
import { dueFor, type JobState, jobAfter, jobFacts } from '../contracts/job';
import { LAST_POLL_MS } from '../contracts/limits';
import type { CallOutcome, Cursor } from '../contracts/outcomes';
import type { ToolPlan } from '../contracts/plan';
import type { CallProgress, EndedCall } from '../contracts/shared-call';
import type { Hold, Rejection } from './hold-policy';

/** Takes the job of an outcome into the progress. An answer about a job ends what was counted against its silence. */
export function takeJob(progress: CallProgress, outcome: CallOutcome, nowMs: number): void {
  const before = progress.job;
  const job = jobAfter(outcome, before);
  if (job) progress.job = job;
  else delete progress.job;
  if (outcome.kind !== 'hold' || outcome.reason !== 'job_running') return;
  progress.jobSinceMs ??= nowMs;
  if (outcome.job === undefined) return;
  progress.losses = 0;
  progress.throttledSinceMs = null;
}

/** The rejection with what it leaves behind: the job, should it still run, and what its start has to count. */
export function withJob(rejection: Rejection, job: JobState | undefined): Rejection {
  if (!job) return rejection;
  return { ...rejection, job: rejection.job ?? job, charged: Math.max(rejection.charged, dueFor(job)) };
}

const deadlineOf = ({ job }: ToolPlan, { jobSinceMs }: CallProgress): number =>
  job === undefined || jobSinceMs === undefined ? Number.POSITIVE_INFINITY : jobSinceMs + job.deadlineMs;

/** The end of a call whose job has used up its time, or null. The job is not given up: whoever makes the call again asks for it. */
export function endAtDeadline(hold: Hold, tool: ToolPlan, progress: CallProgress, nowMs: number): Rejection | null {
  if (nowMs < deadlineOf(tool, progress)) return null;
  const { job, jobSinceMs = nowMs } = progress;
  const what = job ? `the job ${job.id}, polled ${job.polls} times,` : 'the start of the job';
  const since = new Date(jobSinceMs).toISOString();
  return {
    kind: 'rejected',
    code: 'ASYNC_OPERATION_TIMEOUT',
    message: `${what} has no result yet, waited for since ${since}; a redrive goes on with it`,
    cursor: hold.cursor,
    repairable: true,
    charged: 0,
  };
}

/** The hold, cut at the job's deadline: there it is asked once more. */
export const untilDeadline = (hold: Hold, tool: ToolPlan, progress: CallProgress): Hold => ({
  ...hold,
  retryAtMs: Math.min(hold.retryAtMs, deadlineOf(tool, progress)),
});

/** Where a new try of the call goes on. `isCounted`: a row was told of an end that counts the start of the job. */
export const leftOf = ({ cursor, job }: CallProgress, isCounted: boolean): EndedCall => ({
  cursor,
  ...(job ? { job } : {}),
  ...(dueFor(job) > 0 && !isCounted ? { isOwed: true as const } : {}),
});

/** Turns the call into the one that tells the provider: nobody wants the job any more. */
export function giveUpJob(progress: CallProgress, job: JobState): void {
  progress.job = { ...job, phase: 'cancelling' };
  delete progress.hold;
}

/**
 * Takes in what the provider said. A job that it gave up has no result ever: whoever asks again starts another one, under the next
 * billing number. One that it did not give up may have ended by itself, so it is asked for again.
 */
export function afterGivingUp(progress: CallProgress, { kind }: { kind: string }): void {
  const { job, cursor } = progress;
  if (job) progress.job = { ...job, phase: 'running' };
  if (kind !== 'completed') return;
  progress.cursor = { ...cursor, billingNumber: cursor.billingNumber + 1 };
  for (const name of ['job', 'jobSinceMs', 'billing'] as const) delete progress[name];
}

/** How long a poll may wait in the queue of its provider; undefined = as long as it takes. */
export function queueLimitMs(tool: ToolPlan, progress: CallProgress, nowMs: number): number | undefined {
  const deadlineMs = deadlineOf(tool, progress);
  return progress.job && Number.isFinite(deadlineMs) ? Math.max(LAST_POLL_MS, deadlineMs - nowMs) : undefined;
}

/** The hold of a job whose poll nobody answered for: it is asked again at once, and its deadline bounds how often. */
export const afterLostPoll = (job: JobState, cursor: Cursor, nowMs: number): Hold => ({
  kind: 'hold',
  reason: 'job_running',
  scope: 'row',
  retryAtMs: nowMs,
  cursor,
  job,
  detail: 'no worker answered for a poll',
});

/** What the timer of a running job says in the Temporal UI. */
export function jobSummary({ tool, account }: ToolPlan, job: JobState, retryAtMs: number): string {
  const { id, startedAtMs, polls } = jobFacts(job);
  const at = (ms: number): string => new Date(ms).toISOString();
  const next = job.phase === 'succeeded' ? 'fetches its result' : `next poll ${at(retryAtMs)}`;
  return `${tool} (${account}): job ${id} running since ${at(startedAtMs)}, ${polls} polls, ${next}`;
}
