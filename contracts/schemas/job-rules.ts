// Rules of a job that no schema can say: where its templates stand, and that kind and job belong together.
import { isObject, type LocatedProblem, type Raw } from './read-by';
import { requestProblems } from './request-rules';
import { joinReadings, readCondition, readTemplate, type TemplateReading } from './template-rules';

type At = readonly PropertyKey[];

/** The requests about a running job, with their paths and default methods; what is no object has none. */
function requestsOf(job: Raw, at: At): { request: Raw; at: At }[] {
  const poll = isObject(job.poll) ? job.poll : {};
  const found = [
    { request: poll.request, method: 'GET', at: [...at, 'poll', 'request'] },
    { request: job.result, method: 'GET', at: [...at, 'result'] },
    { request: job.cancel, method: 'DELETE', at: [...at, 'cancel'] },
  ];
  return found.flatMap(({ request, method, at: where }) =>
    isObject(request) ? [{ request: { method, ...request }, at: where }] : [],
  );
}

/** Every template of a job, of any form. */
export function readJobTemplates(job: unknown, at: At): TemplateReading {
  if (!isObject(job)) return joinReadings([]);
  const poll = isObject(job.poll) ? job.poll : {};
  const parts = ['path', 'query', 'headers', 'body'];
  return joinReadings([
    readCondition(job.id ?? '{{ body.id }}', [...at, 'id']),
    ...['succeededWhen', 'failedWhen'].map((part) => readCondition(poll[part], [...at, 'poll', part])),
    ...requestsOf(job, at).flatMap((one) => parts.map((part) => readTemplate(one.request[part], [...one.at, part]))),
  ]);
}

/** Problems of a raw tool's job beyond its schema. */
export function jobRules({ kind, job }: Raw, at: At): LocatedProblem[] {
  if (kind === 'job' && job === undefined) {
    return [{ at: [...at, 'job'], message: 'expected job { poll }, since the kind is "job"; found nothing' }];
  }
  if (kind !== 'job' && job !== undefined) {
    return [{ at: [...at, 'job'], message: 'only a tool of kind "job" has a job' }];
  }
  if (!isObject(job)) return [];
  return requestsOf(job, [...at, 'job']).flatMap((one) => requestProblems(one.request, one.at));
}

export const UNKEYED_JOB = 'expected "write": without an idempotency key a start that is sent twice starts two jobs';

/**
 * A start that is sent twice starts two jobs, unless the provider knows them by one key: a tool that only reads and costs nothing
 * would be sent again after every loss.
 */
export function unkeyedJobProblems(tool: unknown, hasKey: boolean, at: At): LocatedProblem[] {
  if (!isObject(tool) || tool.kind !== 'job' || (tool.idempotent ?? hasKey) === true) return [];
  if (tool.effect !== 'read' || tool.price !== 0) return [];
  return [{ at: [...at, 'effect'], message: UNKEYED_JOB }];
}
