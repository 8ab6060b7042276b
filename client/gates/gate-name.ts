// The name of a gate as people type it and as everything prints it: `<provider>.<account>`, with `.<unit>` for limits in another unit than requests.
import { gateWorkflowId, NAME_PATTERN } from '../../contracts/ids';
import { CommandError } from '../command-error';

export interface GateName {
  provider: string;
  account: string;
  /** Left out: the gate of the account's requests. */
  unit?: string;
}

/**
 * Reads `acme.default`, `acme/default`, `gate/acme/default` (its workflow id), `acme` (its account `default`) or `acme.default.tokens`.
 * Throws GATE_NOT_FOUND for every other form.
 */
export function parseGateName(text: string): GateName {
  const [provider = '', account = 'default', unit, ...more] = text.replace(/^gate\//, '').split(/[./]/);
  const names = [provider, account, ...(unit === undefined ? [] : [unit])];
  if (more.length === 0 && names.every((name) => NAME_PATTERN.test(name)))
    return { provider, account, ...(unit === undefined ? {} : { unit }) };
  throw new CommandError(
    'GATE_NOT_FOUND',
    `"${text}" names no gate; expected <provider>.<account> or <provider>.<account>.<unit>, such as acme.default or acme.default.tokens`,
  );
}

/** The id of its workflow, from the name that maps and workers print. */
export function gateIdOf(name: string): string {
  const { provider, account, unit } = parseGateName(name);
  return gateWorkflowId(provider, account, unit);
}

/** The name of the gate that has this workflow id. */
export const gateNameOf = (workflowId: string): string => workflowId.replace(/^gate\//, '').replaceAll('/', '.');
