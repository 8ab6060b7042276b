// A tool whose calls are jobs: where the start's answer names the job, how a poll says how it stands, where its result is, and how it is given up.
import { z } from 'zod';
import { formatDuration } from '../duration';
import { JOB_DEADLINE_MS, JOB_POLL_EVERY_MS, MAX_JOB_DEADLINE_MS, MAX_JOB_POLL_EVERY_MS, MIN_JOB_MS } from '../limits';
import { durationText, expected, jsonValue, oneOf, text } from './words';

const condition = () => text('one expression in {{ }}');

/** A request about a job that runs. Without a path it goes to the address that the start's answer named. */
const aboutJob = (method: 'GET' | 'DELETE') =>
  z.strictObject(
    {
      method: oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE')
        .default(method)
        .describe(`HTTP method; default ${method}.`),
      path: text('the path as text, with {{ }} where it depends on the job')
        .regex(/^\//, expected('a path that starts with "/"'))
        .describe(
          'Path below baseUrl over `job` and `input`, such as /v1/jobs/{{ job.id }}; default the address in the Operation-Location or Location header of the start’s answer.',
        )
        .exactOptional(),
      query: z
        .record(z.string(), jsonValue(), expected('an object { name: value }'))
        .describe('Query parameters over `job` and `input`.')
        .exactOptional(),
      headers: z
        .record(z.string(), text('a header value'), expected('an object { name: text }'))
        .describe('Request headers over `job` and `input`.')
        .exactOptional(),
      body: jsonValue().describe('JSON body over `job` and `input`.').exactOptional(),
    },
    expected('a request { method?, path?, query?, headers?, body? }'),
  );

const pollSpec = z.strictObject(
  {
    request: aboutJob('GET').prefault({}).describe('The request that asks how the job stands.'),
    every: durationText({ minMs: MIN_JOB_MS, maxMs: MAX_JOB_POLL_EVERY_MS })
      .describe(
        `Time between two polls; default ${formatDuration(JOB_POLL_EVERY_MS)}. A later Retry-After of an answer is obeyed.`,
      )
      .exactOptional(),
    succeededWhen: condition().describe(
      'One expression in {{ }} over `body`, `status`, `headers`, `job` and `input`: true when the job is done.',
    ),
    failedWhen: condition()
      .describe('One expression in {{ }}: true when the job has failed for good. Anything else means that it runs.')
      .exactOptional(),
  },
  expected('a poll { request?, every?, succeededWhen, failedWhen? }'),
);

export const jobSpec = z.strictObject(
  {
    id: condition()
      .default('{{ body.id }}')
      .describe('One expression in {{ }} over the start’s answer that gives the id of the job; default {{ body.id }}.'),
    poll: pollSpec.describe('How the job is asked how it stands.'),
    result: aboutJob('GET')
      .describe('The request that fetches the result; left out: the poll that says "done" has it.')
      .exactOptional(),
    cancel: aboutJob('DELETE')
      .describe('The request that gives the job up; left out: a job that nobody wants any more runs on.')
      .exactOptional(),
    deadline: durationText({ minMs: MIN_JOB_MS, maxMs: MAX_JOB_DEADLINE_MS })
      .describe(`From the start to the last poll; default ${formatDuration(JOB_DEADLINE_MS)}.`)
      .exactOptional(),
    charged: oneOf('start', 'success')
      .default('start')
      .describe('When the provider charges the price: for each job that it starts, or only for those that succeed.'),
  },
  expected('a job { id?, poll, result?, cancel?, deadline?, charged? }'),
);

export type JobSpec = z.output<typeof jobSpec>;
/** A request about a job that runs. */
export type JobRequestSpec = JobSpec['poll']['request'];
