// The registry of tools: what admission, dispatch and the gates ask about tools and their providers.
import { parseDuration } from '../../contracts/duration';
import type { Problem } from '../../contracts/failures';
import { providerTaskQueue } from '../../contracts/ids';
import { MAX_JOB_DEADLINE_MS, MAX_JOB_POLL_EVERY_MS, MIN_JOB_MS } from '../../contracts/limits';
import { MAIN_TASK_QUEUE } from '../../contracts/names';
import { UNKEYED_JOB } from '../../contracts/schemas/job-rules';
import { type DefinedTool, LOCAL_PROVIDER } from './define-tool';
import { DEFAULT_ACCOUNT, giveUpAfterMsOf } from './http-tool';
import type { LoadedProvider } from './load-provider-files';
import { ProviderFileError } from './provider-file-error';
import type { CodeTool, Tool } from './tool';
import type { ProviderFacts, ToolRegistry } from './tool-registry-types';

export interface ToolSources {
  providers: readonly LoadedProvider[];
  codeTools: readonly DefinedTool[];
}

/** Throws a ProviderFileError when two tools have one name, or a code tool names a provider without a file. */
export function createToolRegistry({ providers, codeTools }: ToolSources): ToolRegistry {
  const files = new Map(providers.map(({ file }) => [file.provider, file]));
  const orphans = codeTools.filter(({ provider }) => provider !== LOCAL_PROVIDER && !files.has(provider));
  const tools: Tool[] = [
    ...providers.flatMap((provider) => provider.tools),
    ...codeTools.map((tool) => withAccounts(tool, files.get(tool.provider))),
  ];
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const repeated = tools.filter((tool) => byName.get(tool.name) !== tool);
  const problems = [
    ...orphans.map(({ name, provider }) => ({
      path: name,
      message: `the provider ${provider} of this code tool has no file`,
    })),
    ...codeTools.flatMap((tool) => weightless(tool, files.get(tool.provider))),
    ...codeTools.flatMap(jobProblems),
    ...repeated.map(({ name }) => ({ path: name, message: 'two tools have this name' })),
  ];
  if (problems.length > 0) throw new ProviderFileError(problems);
  return {
    get: (name) => byName.get(name) ?? null,
    names: () => [...byName.keys()].sort(),
    providers: () => providers.flatMap(factsOf),
    taskQueue: ({ provider }, account) =>
      files.has(provider) ? providerTaskQueue(provider, account) : MAIN_TASK_QUEUE,
    defaultAccount: ({ accounts }) => {
      if (accounts.includes(DEFAULT_ACCOUNT)) return DEFAULT_ACCOUNT;
      return accounts.length === 1 ? accounts[0]! : null;
    },
  };
}

/** A call whose weight nobody knows would be sent above the limit. */
function weightless({ name, saysUnits }: DefinedTool, file: LoadedProvider['file'] | undefined) {
  const unit = file?.limits.rate.find((window) => window.unit !== undefined)?.unit;
  return unit === undefined || saysUnits
    ? []
    : [{ path: name, message: `the limits of its provider count ${unit}; expected units` }];
}

/** What a provider file is refused for too. */
function jobProblems({ name, job, idempotent, effect, price }: DefinedTool): Problem[] {
  if (!job) return [];
  const bounds = [
    { option: 'pollEveryMs', got: job.pollEveryMs, most: MAX_JOB_POLL_EVERY_MS },
    { option: 'deadlineMs', got: job.deadlineMs, most: MAX_JOB_DEADLINE_MS },
  ];
  const problems = bounds
    .filter(({ got, most }) => !(got >= MIN_JOB_MS && got <= most))
    .map(({ option, got, most }) => ({
      path: name,
      message: `${option}: expected ${MIN_JOB_MS} to ${most}, got ${got}`,
    }));
  if (idempotent || effect !== 'read' || price !== 0) return problems;
  return [...problems, { path: name, message: `effect: ${UNKEYED_JOB}` }];
}

function withAccounts(tool: DefinedTool, file: LoadedProvider['file'] | undefined): CodeTool {
  const { secrets, saysUnits: _, ...rest } = tool;
  const accounts = file?.accounts;
  return {
    ...rest,
    accounts: accounts ? Object.keys(accounts) : [DEFAULT_ACCOUNT],
    giveUpAfterMs: giveUpAfterMsOf(file ?? {}),
    secretReference: (name, account) => {
      if (name === 'account') return accounts?.[account]?.secret ?? null;
      return Object.hasOwn(secrets, name) ? secrets[name]! : null;
    },
  };
}

function factsOf({ file }: LoadedProvider): ProviderFacts[] {
  const { provider, limits, throttle } = file;
  const accounts = file.accounts ? Object.keys(file.accounts) : [DEFAULT_ACCOUNT];
  const windowsIn = (wanted: string | undefined) =>
    limits.rate.filter(({ unit }) => unit === wanted).map(({ limit, per }) => ({ limit, perMs: parseDuration(per) }));
  const units = [...new Set(limits.rate.flatMap(({ unit }) => unit ?? []))];
  return accounts.map((account) => ({
    provider,
    account,
    taskQueue: providerTaskQueue(provider, account),
    rate: windowsIn(undefined),
    units: units.map((unit) => ({ unit, rate: windowsIn(unit) })),
    concurrency: limits.concurrency ?? null,
    giveUpAfterMs: giveUpAfterMsOf(file),
    throttleProfile: throttle.profile,
  }));
}
