// One tool of a provider file: what it costs, what it sends, and how its answer is read.
import { z } from 'zod';
import { MAX_TOOL_TIMEOUT_MS } from '../limits';
import { jobSpec } from './job-spec';
import { durationText, expected, flag, jsonValue, maxAgeSeconds, name, oneOf, text } from './words';

const template = (what: string) => text(`${what} as text, with {{ }} where it depends on the input`);

const requestSpec = z.strictObject(
  {
    method: oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE').describe('HTTP method.'),
    path: template('the path')
      .regex(/^\//, expected('a path that starts with "/"'))
      .describe('Path below baseUrl. Each {{ }} becomes one percent-encoded segment value over `input`.'),
    query: z
      .record(z.string(), jsonValue(), expected('an object { name: value }'))
      .describe('Query parameters over `input`: nothing and null are left out, a list repeats the name.')
      .exactOptional(),
    headers: z
      .record(z.string(), template('a header value'), expected('an object { name: text }'))
      .describe('Request headers over `input`; one that comes out empty is left out.')
      .exactOptional(),
    body: jsonValue().describe('JSON body over `input`, sent as application/json.').exactOptional(),
  },
  expected('a request { method, path, query?, headers?, body? }'),
);

const unitSpec = z.strictObject(
  {
    most: z
      .union(
        [z.number(expected('a number from 0')).min(0, expected('a number from 0')), text('one expression in {{ }}')],
        expected('a number from 0, or one expression in {{ }} over the input'),
      )
      .describe(
        'The most that one call can use: a number, or one expression over `input`. It is counted when the call leaves.',
      ),
    used: text('one expression in {{ }}')
      .describe(
        'One expression over `body`, `headers`, `status` and `input`: what the call has used. It takes the place of `most` once the answer is here.',
      )
      .exactOptional(),
  },
  expected('{ most, used? }'),
);

const responseSpec = z.strictObject(
  {
    value: jsonValue()
      .default('{{ body }}')
      .describe('The answer, a template over `body`, `status`, `headers` and `input`; default the whole body.'),
    missWhen: text('one expression in {{ }}')
      .describe('One expression in {{ }}: true for a documented "no match", in any status; an answer, not a failure.')
      .exactOptional(),
    errorWhen: text('one expression in {{ }}')
      .describe('One expression in {{ }}: true when a 2xx body is an error all the same.')
      .exactOptional(),
    requestId: text('one expression in {{ }}')
      .describe('One expression in {{ }} that gives the id the provider knows the request by.')
      .exactOptional(),
  },
  expected('a response { value?, missWhen?, errorWhen?, requestId? }'),
);

export const toolSpec = z.strictObject(
  {
    kind: oneOf('http', 'job')
      .default('http')
      .describe('`http`: the answer of the request is the answer of the call. `job`: the request starts a job.'),
    effect: oneOf('read', 'write').describe(
      '`write`: a repeated call changes something; it is never repeated when its outcome is unknown.',
    ),
    price: z
      .number(expected('a number from 0'))
      .min(0, expected('a number from 0'))
      .describe('What one answer costs, in units of the account’s currency; 0 = free.'),
    share: oneOf('run', 'all')
      .describe(
        'Who may reuse an answer. `all`: every row of every map that asks the same; `run`: this row of this map only. Default `all` for a read with a price, else `run`.',
      )
      .exactOptional(),
    maxAgeSeconds: maxAgeSeconds().exactOptional(),
    timeout: durationText({ minMs: 1, maxMs: MAX_TOOL_TIMEOUT_MS })
      .describe('One request, from connecting to the last byte of the body; default 30s.')
      .exactOptional(),
    version: text('a version text')
      .describe('Change it to say that answers are different now; default a digest of request and response rules.')
      .exactOptional(),
    idempotent: flag()
      .describe('The provider charges a repeated call once; default: true when the file names an idempotency header.')
      .exactOptional(),
    units: z
      .record(name(), unitSpec, expected('units { name: { most, used? } }'))
      .describe('What a call uses of each limit that has a `unit`.')
      .exactOptional(),
    request: requestSpec.describe('The request to send; of a job the one that starts it.'),
    response: responseSpec.prefault({}).describe('How the answer is read; of a job the answer with its result.'),
    job: jobSpec.describe('How the job is polled, fetched and given up; needed with kind `job`.').exactOptional(),
  },
  expected('a tool { effect, price, request, response?, job? }'),
);

export type ToolSpec = z.output<typeof toolSpec>;
