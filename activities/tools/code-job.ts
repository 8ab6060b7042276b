// The job rules of a tool that is written in TypeScript: each function of its definition becomes one request, and its answer a reading of the job.
import type { z } from 'zod';
import type { JobState } from '../../contracts/job';
import { EXCERPT_CHARACTERS, JOB_DEADLINE_MS, JOB_POLL_EVERY_MS, SHOWN_CHARACTERS } from '../../contracts/limits';
import type { Json } from '../../contracts/outcomes';
import type { CodeJob, CodeTool, JobReading, ReadValue } from './tool';
import type { JobDefinition, JobStatus, RunningJob } from './tool-definition';
import { Rejected, ResponseInvalid } from './tool-errors';

/** The tool's schemas as functions that throw RequestInvalid and ResponseInvalid. */
export interface Checks<Input> {
  input(input: Json): Input;
  value(value: unknown): Json;
}

/** Readings travel as values of the tool until the attempt takes them. */
const asValue = (reading: JobReading): Json => reading as unknown as Json;

const notBefore = ({ pollAtMs }: { pollAtMs?: number }) => ({
  waitIsOurs: true,
  ...(pollAtMs === undefined ? {} : { pollAtMs }),
});

/** A result that is not what the tool promises ends the call; the job is bought all the same. */
function readResult(value: unknown, checks: Checks<unknown>): ReadValue {
  try {
    return { kind: 'value', value: checks.value(value) };
  } catch (error) {
    if (error instanceof ResponseInvalid) return { kind: 'invalid', message: error.message };
    throw error;
  }
}

function readStatus(said: JobStatus<unknown>, hasResult: boolean, checks: Checks<unknown>): JobReading {
  switch (said.status) {
    case 'running':
      return { says: 'running', ...notBefore(said), shown: (said.detail ?? said.status).slice(0, SHOWN_CHARACTERS) };
    case 'failed':
      return { says: 'failed', waitIsOurs: true, shown: said.message.slice(0, EXCERPT_CHARACTERS) };
    case 'succeeded': {
      const isFetched = said.value === undefined && hasResult;
      return { says: 'succeeded', waitIsOurs: true, ...(isFetched ? {} : { answer: readResult(said.value, checks) }) };
    }
  }
}

/** The job rules of a definition. */
export function createCodeJob<Input extends z.ZodType, Output extends z.ZodType>(
  definition: JobDefinition<Input, Output>,
  checks: Checks<z.output<Input>>,
): CodeJob {
  const { price, charged = 'start', result, cancel } = definition;

  const start: CodeTool['execute'] = async (input, context) => {
    const started = await definition.start(checks.input(input), context);
    if (typeof started.id === 'string' && started.id !== '') {
      return asValue({ says: 'started', ...notBefore(started), id: started.id });
    }
    const message = `start gave no id of a job: expected a text that is not empty, got ${JSON.stringify(started.id)}`;
    throw new Rejected(message, { code: 'RESPONSE_INVALID', charged: charged === 'start' ? price : 0 });
  };

  /** A request about a job that runs. */
  const about =
    ({ id, startedAtMs, polls }: JobState, ask: (...args: Parameters<typeof definition.poll>) => Promise<Json>) =>
    (input: Json, context: Parameters<CodeTool['execute']>[1]) => {
      const job: RunningJob<z.output<Input>> = { id, startedAtMs, polls, input: checks.input(input) };
      return ask(job, context);
    };

  function request(state: JobState | null): ReturnType<CodeJob['request']> {
    if (state === null) return { execute: start, tellsJob: true };
    if (state.phase === 'cancelling' && cancel) {
      const giveUp = about(state, async (job, context) => {
        await cancel.call(definition, job, context);
        return null;
      });
      return { execute: giveUp, tellsJob: false };
    }
    if (state.phase === 'succeeded' && result) {
      const fetchResult = about(state, async (job, context) =>
        checks.value(await result.call(definition, job, context)),
      );
      return { execute: fetchResult, tellsJob: false };
    }
    const poll = about(state, async (job, context) =>
      asValue(readStatus(await definition.poll(job, context), result !== undefined, checks)),
    );
    return { execute: poll, tellsJob: true };
  }
  return {
    pollEveryMs: definition.pollEveryMs ?? JOB_POLL_EVERY_MS,
    deadlineMs: definition.deadlineMs ?? JOB_DEADLINE_MS,
    charged,
    canCancel: cancel !== undefined,
    request,
  };
}
