// Tools written in TypeScript: facts, two schemas and a run.
import type { z } from 'zod';
import type { Units } from '../../contracts/gate';
import { DEFAULT_TOOL_TIMEOUT_MS } from '../../contracts/limits';
import type { Json } from '../../contracts/outcomes';
import { formatPath } from '../../contracts/schemas/read-by';
import type { SecretReference } from '../../contracts/schemas/secret-reference';
import { plainJson } from '../../contracts/template';
import type { CodeTool, CodeToolContext } from './tool';
import { RequestInvalid, ResponseInvalid } from './tool-errors';

/** Provider of tools that call nobody: their calls run on the main task queue, without a gate. */
export const LOCAL_PROVIDER = 'local';

export interface ToolDefinition<Input extends z.ZodType, Output extends z.ZodType> {
  /** Second part of the tool's name: `<provider>.<name>`. */
  name: string;
  /** A provider that has a file (its limits and accounts then hold for this tool too); left out: `local`. */
  provider?: string;
  effect: 'read' | 'write';
  /** Units of the account's currency for one answer; 0 = free. */
  price: number;
  input: Input;
  output: Output;
  /** `all`: equal input is bought once for every row of every map, reads only; default `run`. */
  share?: 'run' | 'all';
  /** Shared answers older than this are bought anew; 0 = always, left out = any age will do. */
  maxAgeSeconds?: number;
  /** Change it whenever equal input may give another answer. */
  version: string;
  /** The provider charges one idempotency key once: the run must send `context.idempotencyKey`. */
  idempotent: boolean;
  /** 1 to 3,600,000; default 30,000. */
  timeoutMs?: number;
  /** What one call may use at most of the provider's limits in other units than requests, by unit; needed where it has such limits. */
  units?: (input: z.output<Input>) => Units;
  /** Further secrets, by the name that `context.secret` takes. */
  secrets?: { [name: string]: SecretReference };
  /** May throw Throttled, Missed and Rejected of tool-errors.ts; anything else counts as a bug of the tool. */
  run(input: z.output<Input>, context: CodeToolContext): Promise<z.input<Output>>;
}

/** A code tool before the registry gives it the accounts of its provider. */
export type DefinedTool = Omit<CodeTool, 'accounts' | 'secretReference' | 'giveUpAfterMs'> & {
  secrets: { readonly [name: string]: SecretReference };
  saysUnits: boolean;
};

/** Makes a tool of its definition; add it to the list in registry.ts. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  definition: ToolDefinition<Input, Output>,
): DefinedTool {
  const provider = definition.provider ?? LOCAL_PROVIDER;
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
    unitsOf: async (input) => definition.units?.(checkedInput(definition.input, input)) ?? {},
    execute: async (input, context) => {
      const checked = checkedInput(definition.input, input);
      return checkValue(await definition.run(checked, context));
    },
    checkValue,
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
