// A tool of a provider file: its facts, and the request and response rules with their expressions compiled.
import { createHash } from 'node:crypto';
import { parseDuration } from '../../contracts/duration';
import { canonicalJson } from '../../contracts/keys';
import { DEFAULT_TOOL_TIMEOUT_MS, GIVE_UP_AFTER_MS } from '../../contracts/limits';
import type { JobSpec } from '../../contracts/schemas/job-spec';
import type { ProviderFile } from '../../contracts/schemas/provider-file';
import { readToolTemplates } from '../../contracts/schemas/tool-rules';
import type { ToolSpec } from '../../contracts/schemas/tool-spec';
import { buildRequest } from './build-request';
import { createExpressions } from './expressions';
import { createHttpJob } from './http-job';
import { readRequestId, readValue } from './read-value';
import { EXECUTION_IN_PROGRESS, profileRules } from './throttle-rules';
import type { HttpTool } from './tool';
import { mostOf, usedOf } from './units';

/** The account of a provider that declares none. */
export const DEFAULT_ACCOUNT = 'default';

/** A read that costs money is bought once for all who ask the same. */
const defaultShare = ({ effect, price }: ToolSpec): 'run' | 'all' => (effect === 'read' && price > 0 ? 'all' : 'run');

const VERSION_DIGITS = 16;

/** Of a job what decides its result; not when it is asked for, how long it may last, how it is given up or what it costs. */
function jobAnswer({ id, poll, result }: JobSpec) {
  const { request, succeededWhen, failedWhen } = poll;
  return { id, poll: { request, succeededWhen, failedWhen: failedWhen ?? null }, result: result ?? null };
}

/**
 * Declared version, else a digest of what decides the answer: request, response and idempotency rules. Its form must never change: calls
 * of running maps would wait for a worker with the old one, and every shared answer would be bought anew.
 */
function versionOf(file: ProviderFile, spec: ToolSpec, idempotent: boolean): string {
  if (spec.version !== undefined) return spec.version;
  const answer = { request: spec.request, response: spec.response, ...(spec.job ? { job: jobAnswer(spec.job) } : {}) };
  const rules = { ...answer, idempotency: file.idempotency ?? null, idempotent };
  return createHash('sha256').update(canonicalJson(rules)).digest('hex').slice(0, VERSION_DIGITS);
}

export const giveUpAfterMsOf = ({ giveUpAfter }: Pick<ProviderFile, 'giveUpAfter'>): number =>
  giveUpAfter === undefined ? GIVE_UP_AFTER_MS : parseDuration(giveUpAfter);

/** The tool `<provider>.<name>` of a checked provider file. `baseUrl`: resolved, since the file may name a variable. */
export function createHttpTool(file: ProviderFile, name: string, spec: ToolSpec, baseUrl: string): HttpTool {
  const idempotent = spec.idempotent ?? file.idempotency !== undefined;
  const expressions = createExpressions(readToolTemplates(spec, []).expressions.map(({ expression }) => expression));
  const accounts = file.accounts ? Object.keys(file.accounts) : [DEFAULT_ACCOUNT];
  const { auth, idempotency } = file;
  // A key that the provider does not honour for this tool would only promise what is not so.
  const callHeaders = { ...(auth ? { auth } : {}), ...(idempotent && idempotency ? { idempotency } : {}) };
  const tellsUse = Object.values(spec.units ?? {}).some(({ used }) => used !== undefined);
  const toolName = `${file.provider}.${name}`;
  const tool: HttpTool = {
    kind: 'http',
    name: toolName,
    provider: file.provider,
    accounts,
    version: versionOf(file, spec, idempotent),
    effect: spec.effect,
    price: spec.price,
    share: spec.share ?? defaultShare(spec),
    maxAgeSeconds: spec.maxAgeSeconds ?? null,
    idempotent,
    timeoutMs: spec.timeout === undefined ? DEFAULT_TOOL_TIMEOUT_MS : parseDuration(spec.timeout),
    giveUpAfterMs: giveUpAfterMsOf(file),
    baseUrl: baseUrl.replace(/\/+$/, ''),
    throttle: {
      profile: file.throttle.profile,
      rules: [...profileRules(file.throttle.rules), ...(idempotent ? EXECUTION_IN_PROGRESS : [])],
    },
    secretOf: (account) => {
      if (!accounts.includes(account))
        throw new Error(`${toolName} has no account ${account}, only ${accounts.join(', ')}`);
      return file.accounts?.[account]?.secret ?? null;
    },
    buildRequest: (input, context) => buildRequest(callHeaders, spec.request, expressions, input, context),
    readValue: (answer) => readValue(spec.response, expressions, answer),
    unitsOf: (input) => mostOf(spec.units ?? {}, expressions, input),
    readUsed: tellsUse ? (answer) => usedOf(spec.units ?? {}, expressions, answer) : null,
    readRequestId: (answer) => readRequestId(spec.response, expressions, answer),
    job: null,
  };
  return spec.job ? { ...tool, job: createHttpJob(tool, { spec, job: spec.job, callHeaders, expressions }) } : tool;
}
