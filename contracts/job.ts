// A job at a provider (start, poll, result): what of it is kept in history, so that whoever goes on with the call asks for this job and starts no other.
import type { Billing, CallOutcome } from './outcomes';

/** `running`: it is polled. `succeeded`: its result is to be fetched. `cancelling`: nobody wants it any more, the provider is told. */
export type JobPhase = 'running' | 'succeeded' | 'cancelling';

/** A job that the provider has accepted. Input and output of every dispatch after its start. */
export interface JobState {
  /** As the provider names it. */
  id: string;
  /** Path and query that the start's answer named for polls, without host: a request goes to the provider's own. */
  address?: string;
  phase: JobPhase;
  /** When its start was answered, on the clock of the worker. */
  startedAtMs: number;
  /** Polls that were sent. */
  polls: number;
  /** Of the last one. */
  polledAtMs?: number;
  /** The request that started it. */
  billing: Billing;
  /** What its start cost; 0 when only a success is charged. */
  charged: number;
  /** An earlier try of the call, which ended without its result, has counted the start. */
  isCounted?: true;
}

/** What a workflow knows of a tool whose calls are jobs. */
export interface JobPlan {
  /** From the start's answer to the last poll. */
  deadlineMs: number;
  /** The provider can be told that nobody wants the job any more. */
  canCancel: boolean;
}

/** What a row and its explanation tell of a job. */
export type JobFacts = Pick<JobState, 'id' | 'startedAtMs' | 'polls' | 'polledAtMs'>;

export const jobFacts = ({ id, startedAtMs, polls, polledAtMs }: JobState): JobFacts => ({
  id,
  startedAtMs,
  polls,
  ...(polledAtMs === undefined ? {} : { polledAtMs }),
});

/** What the call that ends without a result has to count for the job's start. */
export const dueFor = (job: JobState | undefined): number => (job && !job.isCounted ? job.charged : 0);

/** The job that goes on after an outcome: none once it has failed, or given its result. */
export function jobAfter(outcome: CallOutcome | null, job: JobState | undefined): JobState | undefined {
  if (outcome?.kind === 'hold') return outcome.job ?? job;
  if (outcome?.kind === 'completed' || outcome?.kind === 'missed') return undefined;
  return outcome?.kind === 'rejected' && outcome.code === 'ASYNC_OPERATION_FAILED' ? undefined : job;
}

/** The job as a new try of the call takes it over: its start is paid for and counted already. */
export const takenOver = (job: JobState): JobState => ({
  ...job,
  phase: job.phase === 'cancelling' ? 'running' : job.phase,
  ...(job.charged > 0 ? { isCounted: true as const } : {}),
});

/** The job whose start nobody has counted after all. */
export const uncounted = ({ isCounted: _, ...job }: JobState): JobState => job;

interface Costs {
  idempotent: boolean;
  price: number;
  effect: 'read' | 'write';
}

/** The tool as the requests of a job that runs already cost and change: nothing, so they may be repeated at will. */
export const asJobRequest = <Tool extends Costs>(tool: Tool): Tool => ({ ...tool, price: 0, effect: 'read' });
