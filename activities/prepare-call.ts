// How the next request of a call is prepared: by the kind of its tool, and by whether its calls are jobs.
import type { Prepare } from './attempt';
import { type CodeAttemptDeps, prepareCode } from './attempt-code';
import { type HttpAttemptDeps, prepareHttp } from './attempt-http';
import { prepareJob } from './attempt-job';
import type { CodeTool, HttpTool, Tool } from './tools/tool';

export interface PrepareDeps {
  http: HttpAttemptDeps;
  code: CodeAttemptDeps;
}

function prepareHttpTool(tool: HttpTool, { http, code }: PrepareDeps): Prepare {
  const { price, job } = tool;
  if (!job) return prepareHttp(tool, http);
  return prepareJob(
    { price, job },
    {
      requestOf(state) {
        const { tool: about, tellsJob } = job.request(state);
        return { prepare: prepareHttp(about, http), tellsJob };
      },
      nowMs: code.clock.wallMs,
    },
  );
}

function prepareCodeTool(tool: CodeTool, { code }: PrepareDeps): Prepare {
  const { price, job } = tool;
  if (!job) return prepareCode(tool, code);
  return prepareJob(
    { price, job },
    {
      requestOf(state) {
        const { execute, tellsJob } = job.request(state);
        return { prepare: prepareCode({ ...tool, execute }, code), tellsJob };
      },
      nowMs: code.clock.wallMs,
    },
  );
}

export const createPrepare =
  (deps: PrepareDeps) =>
  (tool: Tool): Prepare =>
    tool.kind === 'http' ? prepareHttpTool(tool, deps) : prepareCodeTool(tool, deps);
