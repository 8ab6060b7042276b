// Tools written in TypeScript: a definition becomes the tool that the worker calls.
import type { z } from 'zod';
import { DEFAULT_TOOL_TIMEOUT_MS } from '../../contracts/limits';
import type { Json } from '../../contracts/outcomes';
import { formatPath } from '../../contracts/schemas/read-by';
import type { SecretReference } from '../../contracts/schemas/secret-reference';
import { plainJson } from '../../contracts/template';
import { createCodeJob } from './code-job';
import type { CodeTool } from './tool';
import type { ToolDefinition } from './tool-definition';
import { RequestInvalid, ResponseInvalid } from './tool-errors';

/** Provider of tools that call nobody: their calls run on the main task queue, without a gate. */
export const LOCAL_PROVIDER = 'local';

/** A code tool before the registry gives it the accounts of its provider. */
export type DefinedTool = Omit<CodeTool, 'accounts' | 'secretReference' | 'giveUpAfterMs'> & {
  secrets: { readonly [name: string]: SecretReference };
  saysUnits: boolean;
};

/** Of a job: `execute` answers nothing, since `job` says what runs for each of its requests. */
const noRun: CodeTool['execute'] = async () => {
  throw new Error('the calls of this tool are jobs: their requests run one by one');
};

/** Makes a tool of its definition; add it to the list in registry.ts. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  definition: ToolDefinition<Input, Output>,
): DefinedTool {
  const provider = definition.provider ?? LOCAL_PROVIDER;
  const checkInput = (input: Json) => checkedInput(definition.input, input);
  const { effect, price, version, idempotent } = definition;
  const checkValue = (answered: unknown): Json => {
    const value = definition.output.safeParse(answered);
    if (!value.success)
      throw new ResponseInvalid(`the tool gave a value it does not promise: ${issueLine(value.error)}`);
    return asJson(value.data);
  };
  return {
    kind: 'code',
    name: `${provider}.${definition.name}`,
    provider,
    version,
    effect,
    price,
    share: definition.share ?? 'run',
    maxAgeSeconds: definition.maxAgeSeconds ?? null,
    idempotent,
    timeoutMs: definition.timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS,
    secrets: definition.secrets ?? {},
    saysUnits: definition.units !== undefined,
    unitsOf: async (input) => definition.units?.(checkInput(input)) ?? {},
    execute:
      definition.kind === 'job'
        ? noRun
        : async (input, context) => checkValue(await definition.run(checkInput(input), context)),
    checkValue,
    job: definition.kind === 'job' ? createCodeJob(definition, { input: checkInput, value: checkValue }) : null,
  };
}

function checkedInput<Input extends z.ZodType>(schema: Input, input: Json): z.output<Input> {
  const checked = schema.safeParse(input);
  if (checked.success) return checked.data;
  throw new RequestInvalid(`input: ${issueLine(checked.error)}`);
}

const issueLine = (error: z.ZodError) =>
  error.issues.map(({ path, message }) => (path.length === 0 ? message : `${formatPath(path)}: ${message}`)).join('; ');

function asJson(value: unknown): Json {
  try {
    return plainJson(value) ?? null;
  } catch (error) {
    throw new ResponseInvalid(`the tool gave a value that is no JSON: ${(error as Error).message}`);
  }
}
