// The jobs of one provider: started by a request that is charged, running for a while, asked for, fetched and given up by their ids.
import type { Json } from '../../contracts/outcomes';
import { type Answer, companyAnswer } from './answers';
import type { JobOptions } from './options';
import type { SimRequest } from './read-request';
import { errorReply, jsonReply, type Reply } from './reply';

/** What a request about a job does. */
export interface JobRequest {
  id: string;
  action: 'poll' | 'result' | 'cancel';
}

interface Job {
  domain: string;
  startedMs: number;
  isCancelled: boolean;
}

/** The request about a job that this one is; undefined for any other. */
export function jobRequest({ method, path, provider }: SimRequest): JobRequest | undefined {
  const [, id, rest] = new RegExp(`^/${provider}/v1/jobs/([^/]+)(/result)?$`).exec(path) ?? [];
  if (id === undefined) return undefined;
  if (method === 'DELETE' && rest === undefined) return { id, action: 'cancel' };
  if (method !== 'GET') return undefined;
  return { id, action: rest === undefined ? 'poll' : 'result' };
}

export class Jobs {
  private readonly jobs = new Map<string, Job>();
  private offered = 0;

  constructor(
    public options: JobOptions,
    private readonly provider: string,
  ) {}

  /** The answer to a start. The job runs once {@link begin} is called: a start that fails before its charge starts none. */
  offer(input: { [name: string]: Json }): Answer & { id: string } {
    this.offered += 1;
    const id = `job-${this.offered}`;
    if (typeof input.domain !== 'string' || input.domain === '') {
      const message = `domain: expected a text that is not empty, got ${JSON.stringify(input.domain ?? null)}`;
      return { id, kind: 'invalid', reply: errorReply(400, 'invalid_request', message) };
    }
    const reply = jsonReply(202, { id, status: 'running' }, [
      ['location', `/${this.provider}/v1/jobs/${id}`],
      ...this.retryAfter(),
    ]);
    return { id, kind: 'found', reply };
  }

  begin(id: string, input: { [name: string]: Json }, nowMs: number): void {
    this.jobs.set(id, { domain: String(input.domain), startedMs: nowMs, isCancelled: false });
  }

  /** The answer to a request about a job. */
  ask({ id, action }: JobRequest, nowMs: number): Reply {
    const job = this.jobs.get(id);
    if (!job) return errorReply(404, 'unknown_job', `no job ${id}`);
    const status = this.statusOf(job, nowMs);
    if (action === 'cancel') {
      if (status !== 'running') return errorReply(409, 'job_ended', `the job ${id} has ${status}`);
      job.isCancelled = true;
      return jsonReply(200, { id, status: 'cancelled' });
    }
    if (action === 'result') {
      if (status === 'succeeded') return jsonReply(200, { data: companyAnswer(job.domain) });
      return errorReply(409, 'job_not_done', `the job ${id} is ${status}`);
    }
    const data = status === 'succeeded' ? { data: companyAnswer(job.domain) } : {};
    return jsonReply(200, { id, status, ...data }, status === 'running' ? this.retryAfter() : []);
  }

  private statusOf(job: Job, nowMs: number): 'cancelled' | 'running' | 'failed' | 'succeeded' {
    if (job.isCancelled) return 'cancelled';
    if (nowMs - job.startedMs < this.options.durationMs) return 'running';
    return this.options.failingInputs.includes(job.domain) ? 'failed' : 'succeeded';
  }

  private retryAfter(): [string, string][] {
    const { retryAfterSeconds } = this.options;
    return retryAfterSeconds === undefined ? [] : [['retry-after', String(retryAfterSeconds)]];
  }
}
