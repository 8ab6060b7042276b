// The gates of this worker, by provider and account.
import type { GateLookup } from '../../activities/gate-port';
import { AccountGate } from './account-gate';
import { type GateClock, systemClock } from './clock';
import { ProviderGate } from './gate';
import type { AccountSettings } from './gate-types';

export interface Gates {
  /** What calls of the account go through. */
  account(...providerAndAccount: Parameters<GateLookup>): AccountGate;
  /** The gate of the account's requests alone. */
  gate(...providerAndAccount: Parameters<GateLookup>): ProviderGate;
  /** Of requests, and of each other unit. */
  all(): ProviderGate[];
}

/** One gate for each account. Throws when an account is declared twice. A closing of the whole provider closes the gates of all its accounts. */
export function createGates(
  accounts: readonly AccountSettings[],
  clock: GateClock = systemClock,
  random: () => number = Math.random,
): Gates {
  const byName = new Map<string, AccountGate>();
  for (const { units = [], ...settings } of accounts) {
    const name = nameOf(settings.provider, settings.account);
    if (byName.has(name)) throw new Error(`gate ${name}: declared twice, expected one declaration for each account`);
    const unitGates = units.map((own) => new ProviderGate({ ...settings, ...own, concurrency: null }, clock, random));
    byName.set(name, new AccountGate(new ProviderGate(settings, clock, random), unitGates, clock));
  }
  const all = [...byName.values()].map(({ requests }) => requests);
  for (const gate of all) closeSiblings(gate, all);
  const account: Gates['account'] = (provider, name) => {
    const gate = byName.get(nameOf(provider, name));
    if (gate) return gate;
    const known = [...byName.keys()].join(', ') || 'none';
    throw new Error(`gate ${nameOf(provider, name)}: not served by this worker, expected one of: ${known}`);
  };
  return {
    all: () => [...byName.values()].flatMap(({ requests, units }) => [requests, ...units]),
    account,
    gate: (provider, name) => account(provider, name).requests,
  };
}

const nameOf = (provider: string, account: string): string => `${provider}/${account}`;

function closeSiblings(origin: ProviderGate, all: readonly ProviderGate[]): void {
  const siblings = all.filter((gate) => gate !== origin && gate.settings.provider === origin.settings.provider);
  origin.onClosed((closing) => {
    if (closing.scope !== 'provider') return;
    // As an account closing, or it would come back from each sibling.
    for (const sibling of siblings) sibling[closing.isRest ? 'rest' : 'close']({ ...closing, scope: 'account' });
  });
}
