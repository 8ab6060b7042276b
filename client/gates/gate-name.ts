// The name of a provider account as people type it and as everything prints it: `<provider>.<account>`.
import { gateWorkflowId, NAME_PATTERN } from '../../contracts/ids';
import { CommandError } from '../command-error';

export interface GateName {
  provider: string;
  account: string;
}

/**
 * Reads `acme.default`, `acme/default`, `gate/acme/default` (its workflow id) or `acme` (its account `default`).
 * Throws GATE_NOT_FOUND for every other form.
 */
function parseGateName(text: string): GateName {
  const [provider = '', account = 'default', ...more] = text.replace(/^gate\//, '').split(/[./]/);
  if (more.length === 0 && NAME_PATTERN.test(provider) && NAME_PATTERN.test(account)) return { provider, account };
  throw new CommandError(
    'GATE_NOT_FOUND',
    `"${text}" names no provider account; expected <provider>.<account>, such as acme.default`,
  );
}

/** The id of its workflow, from the name that maps and workers print. */
export function gateIdOf(name: string): string {
  const { provider, account } = parseGateName(name);
  return gateWorkflowId(provider, account);
}

/** The name of the account whose gate has this workflow id. */
export const gateNameOf = (workflowId: string): string => workflowId.replace(/^gate\//, '').replace('/', '.');
