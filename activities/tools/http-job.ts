// A tool of a provider file whose calls are jobs: its request starts one, and other requests ask for it, fetch its result and give it up.
import { parseDuration } from '../../contracts/duration';
import { asJobRequest, type JobState } from '../../contracts/job';
import { EXCERPT_CHARACTERS, JOB_DEADLINE_MS, JOB_POLL_EVERY_MS, SHOWN_CHARACTERS } from '../../contracts/limits';
import type { Json } from '../../contracts/outcomes';
import type { JobRequestSpec, JobSpec } from '../../contracts/schemas/job-spec';
import type { ProviderFile } from '../../contracts/schemas/provider-file';
import type { ToolSpec } from '../../contracts/schemas/tool-spec';
import { buildRequest } from './build-request';
import { ExpressionFailed, type Expressions, type Scope } from './expressions';
import { readValue } from './read-value';
import type { HttpJob, HttpTool, JobReading, ReadValue, ToolAnswer } from './tool';

export interface JobParts {
  spec: ToolSpec;
  job: JobSpec;
  callHeaders: Pick<ProviderFile, 'auth' | 'idempotency'>;
  expressions: Expressions;
}

const isAnswered = ({ status }: ToolAnswer): boolean => status >= 200 && status <= 299;
const value = (reading: JobReading): ReadValue => ({ kind: 'value', value: reading as unknown as Json });
const invalid = (message: string): ReadValue => ({ kind: 'invalid', message });
const waitIsOurs = ({ headers }: ToolAnswer): boolean => headers['retry-after'] !== undefined;

/** Path and query of the address that an answer names; null when it names none at the provider's own host. */
function addressOf({ headers }: ToolAnswer, baseUrl: string): string | null {
  const named = headers['operation-location'] ?? headers.location;
  if (named === undefined || !URL.canParse(named, baseUrl)) return null;
  const url = new URL(named, baseUrl);
  return url.origin === new URL(baseUrl).origin ? `${url.pathname}${url.search}` : null;
}

/** What an expression that fails on an odd answer makes of it. */
async function orInvalid(read: () => Promise<ReadValue>): Promise<ReadValue> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ExpressionFailed) return invalid(error.message);
    throw error;
  }
}

/** Reads the answer of a start: the id of the job, or its address where that is its only name. */
async function readStart({ job, expressions }: JobParts, baseUrl: string, answer: ToolAnswer): Promise<ReadValue> {
  if (!isAnswered(answer)) return invalid(`status ${answer.status} is no answer`);
  const { status, headers, body, input } = answer;
  const found = await expressions.render(job.id, { status, headers, body, input });
  const address = addressOf(answer, baseUrl);
  const id = typeof found === 'string' || typeof found === 'number' ? String(found) : address;
  const needsAddress = [job.poll.request, job.result, job.cancel].some((one) => one && one.path === undefined);
  if (id === null || id === '') return invalid(`job.id finds no id, and no header an address, in the start's answer`);
  if (needsAddress && address === null) {
    return invalid(`the start's answer has no Operation-Location or Location at ${new URL(baseUrl).host}`);
  }
  return value({ says: 'started', waitIsOurs: waitIsOurs(answer), id, ...(address === null ? {} : { address }) });
}

/** Reads the answer of a poll. */
async function readPoll(
  { spec, job, expressions }: JobParts,
  { id }: JobState,
  answer: ToolAnswer,
): Promise<ReadValue> {
  if (!isAnswered(answer)) return invalid(`status ${answer.status} is no answer`);
  const { status, headers, body, input } = answer;
  const scope: Scope = { status, headers, body, input, job: { id } };
  const shown = JSON.stringify(body);
  const ours = { waitIsOurs: waitIsOurs(answer) };
  if (await expressions.holds(job.poll.failedWhen, scope)) {
    return value({ ...ours, says: 'failed', shown: shown.slice(0, EXCERPT_CHARACTERS) });
  }
  if (!(await expressions.holds(job.poll.succeededWhen, scope))) {
    return value({ ...ours, says: 'running', shown: shown.slice(0, SHOWN_CHARACTERS) });
  }
  const result = job.result ? {} : { answer: await readValue(spec.response, expressions, answer) };
  return value({ ...ours, says: 'succeeded', ...result });
}

/** The job rules of `tool`, which sends their starts. */
export function createHttpJob(tool: HttpTool, parts: JobParts): HttpJob {
  const { spec, job, callHeaders, expressions } = parts;
  const start: HttpTool = { ...tool, readValue: (answer) => orInvalid(() => readStart(parts, tool.baseUrl, answer)) };

  /** Sent without a key: it is the job that is charged once, not the question how it stands. */
  const about = (state: JobState, request: JobRequestSpec, read: HttpTool['readValue']): HttpTool => ({
    ...asJobRequest(tool),
    idempotent: false,
    unitsOf: async () => ({}),
    readUsed: null,
    buildRequest: (input, context) =>
      buildRequest(callHeaders, request, expressions, input, { ...context, job: state }),
    readValue: read,
  });

  function request(state: JobState | null): ReturnType<HttpJob['request']> {
    if (state === null) return { tool: start, tellsJob: true };
    if (state.phase === 'cancelling' && job.cancel) {
      const read = async (answer: ToolAnswer): Promise<ReadValue> =>
        isAnswered(answer) ? { kind: 'value', value: null } : invalid(`status ${answer.status} is no answer`);
      return { tool: about(state, job.cancel, read), tellsJob: false };
    }
    if (state.phase === 'succeeded' && job.result) {
      const read = (answer: ToolAnswer) => readValue(spec.response, expressions, answer);
      return { tool: about(state, job.result, read), tellsJob: false };
    }
    const read = (answer: ToolAnswer) => orInvalid(() => readPoll(parts, state, answer));
    return { tool: about(state, job.poll.request, read), tellsJob: true };
  }
  return {
    pollEveryMs: job.poll.every === undefined ? JOB_POLL_EVERY_MS : parseDuration(job.poll.every),
    deadlineMs: job.deadline === undefined ? JOB_DEADLINE_MS : parseDuration(job.deadline),
    charged: job.charged,
    canCancel: job.cancel !== undefined,
    request,
  };
}
