// Reads every provider file of a folder when a worker starts, and reports all problems of all files at once.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Problem } from '../../contracts/failures';
import { type ProviderFile, readProviderFile } from '../../contracts/schemas/provider-file';
import { baseUrlProblem } from '../../contracts/schemas/provider-file-rules';
import { formatPath, isObject, type LocatedProblem } from '../../contracts/schemas/read-by';
import { readToolTemplates } from '../../contracts/schemas/tool-rules';
import { didYouMean } from '../../contracts/suggest';
import { profileNames } from '../http/profiles/registry';
import { syntaxProblem } from './expressions';
import { createHttpTool } from './http-tool';
import { ProviderFileError } from './provider-file-error';
import { type Environment, resolveSecret } from './secrets';
import type { HttpTool } from './tool';
import { readYaml } from './yaml-source';

const FILE_NAME = /\.provider\.(?:yaml|yml|json)$/;

/** A provider file that is ready to use. Paths of secret files in it are absolute. */
export interface LoadedProvider {
  path: string;
  file: ProviderFile;
  tools: HttpTool[];
}

export interface ProviderFolder {
  folder: string;
  /** Where `{ env }` of base URLs and secrets is looked up; default the environment of the process. */
  environment?: Environment;
  /** False: base URLs and secrets of the environment are not looked up, for a check on a machine that has none. Default true. */
  lookUp?: boolean;
}

type FileReading = { ok: true; provider: LoadedProvider } | { ok: false; problems: Problem[] };

/**
 * The providers of `*.provider.yaml|yml|json` in a folder, by file name. Secrets are looked up once, so that a missing one is
 * found before the first call, and not kept. Throws a ProviderFileError (PROVIDER_FILE_INVALID) with every problem.
 */
export async function loadProviderFiles({
  folder,
  environment = process.env,
  lookUp = true,
}: ProviderFolder): Promise<LoadedProvider[]> {
  const names = (await listFolder(folder)).filter((name) => FILE_NAME.test(name)).sort();
  const readings = await Promise.all(
    names.map((name) => readOne(join(folder, name), name, lookUp ? environment : null)),
  );
  const providers = readings.flatMap((reading) => (reading.ok ? [reading.provider] : []));
  const problems = readings.flatMap((reading) => (reading.ok ? [] : reading.problems));
  problems.push(...repeatedProviders(providers));
  if (problems.length > 0) throw new ProviderFileError(problems);
  return providers;
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw new ProviderFileError([
      {
        path: folder,
        message: `the folder cannot be read (${errorCode(error)}); expected a folder of *.provider.yaml files: start the worker in the folder above it, or name it with SLUICE_PROVIDERS`,
      },
    ]);
  }
}

/** `environment`: null = nothing is looked up. */
async function readOne(path: string, fileName: string, environment: Environment | null): Promise<FileReading> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return { ok: false, problems: [{ path: fileName, message: `the file cannot be read (${errorCode(error)})` }] };
  }
  const yaml = readYaml(text);
  if (!yaml.ok) {
    return {
      ok: false,
      problems: yaml.problems.map(({ line, message }) => ({ path: `${fileName}:${line}`, message })),
    };
  }
  const reading = readProviderFile(yaml.raw);
  const located = [...(reading.ok ? [] : reading.located), ...expressionProblems(yaml.raw)];
  const baseUrl = reading.ok ? resolveBaseUrl(reading.value, environment) : null;
  if (reading.ok) {
    for (const { secret } of Object.values(reading.value.accounts ?? {})) {
      if (secret.file !== undefined) secret.file = resolve(dirname(path), secret.file);
    }
    located.push(
      ...profileProblems(reading.value),
      ...(baseUrl?.problems ?? []),
      ...(environment === null ? [] : await secretProblems(reading.value, environment)),
    );
  }
  if (!reading.ok || baseUrl === null || located.length > 0) {
    return {
      ok: false,
      problems: located.map(({ at, message }) => ({
        path: `${fileName}:${yaml.lineOf(at)} ${formatPath(at)}`,
        message,
      })),
    };
  }
  const file = reading.value;
  const tools = Object.entries(file.tools).map(([name, spec]) => createHttpTool(file, name, spec, baseUrl.address));
  return { ok: true, provider: { path, file, tools } };
}

/** Expressions that are no JSONata, whatever else is wrong with the file. */
function expressionProblems(raw: unknown): LocatedProblem[] {
  const tools = isObject(raw) && isObject(raw.tools) ? Object.entries(raw.tools) : [];
  return tools.flatMap(([name, tool]) =>
    readToolTemplates(tool, ['tools', name]).expressions.flatMap(({ at, expression }) => {
      const problem = syntaxProblem(expression);
      return problem === null ? [] : [{ at, message: `{{ ${expression} }} is no JSONata: ${problem}` }];
    }),
  );
}

function profileProblems({ throttle: { profile } }: ProviderFile): LocatedProblem[] {
  if (profileNames.includes(profile)) return [];
  const message = `unknown throttle profile ${JSON.stringify(profile)}${didYouMean(profile, profileNames)}; known are ${profileNames.join(', ')}`;
  return [{ at: ['throttle', 'profile'], message }];
}

/** A name that never resolves (RFC 2606). */
const NOT_LOOKED_UP = 'https://not-looked-up.invalid';

function resolveBaseUrl(
  { baseUrl }: ProviderFile,
  environment: Environment | null,
): { address: string; problems: LocatedProblem[] } {
  if (typeof baseUrl === 'string') return { address: baseUrl, problems: [] };
  if (environment === null) return { address: NOT_LOOKED_UP, problems: [] };
  const address = environment[baseUrl.env] ?? '';
  const message = address === '' ? 'it is not set in the environment of the worker' : baseUrlProblem(address);
  if (message === null) return { address, problems: [] };
  return { address, problems: [{ at: ['baseUrl', 'env'], message: `variable ${baseUrl.env}: ${message}` }] };
}

async function secretProblems({ accounts = {} }: ProviderFile, environment: Environment): Promise<LocatedProblem[]> {
  const problems: LocatedProblem[] = [];
  for (const [account, { secret }] of Object.entries(accounts)) {
    try {
      await resolveSecret(secret, environment);
    } catch (error) {
      problems.push({ at: ['accounts', account, 'secret'], message: (error as Error).message });
    }
  }
  return problems;
}

function repeatedProviders(providers: readonly LoadedProvider[]): Problem[] {
  return providers.flatMap(({ path, file }, index) => {
    const first = providers.findIndex((other) => other.file.provider === file.provider);
    if (first === index) return [];
    return [{ path, message: `the provider ${file.provider} has a file already: ${providers[first]!.path}` }];
  });
}

const errorCode = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error);
