// The gates of this worker, by provider and account.
import type { GateLookup } from '../../activities/gate-port';
import { type GateClock, systemClock } from './clock';
import { ProviderGate } from './gate';
import type { GateSettings } from './gate-types';

export interface Gates {
  gate(...providerAndAccount: Parameters<GateLookup>): ProviderGate;
  all(): ProviderGate[];
}

/** One gate for each account. Throws when an account is declared twice. A closing of the whole provider closes the gates of all its accounts. */
export function createGates(
  accounts: readonly GateSettings[],
  clock: GateClock = systemClock,
  random: () => number = Math.random,
): Gates {
  const byName = new Map<string, ProviderGate>();
  for (const settings of accounts) {
    const name = nameOf(settings.provider, settings.account);
    if (byName.has(name)) throw new Error(`gate ${name}: declared twice, expected one declaration for each account`);
    byName.set(name, new ProviderGate(settings, clock, random));
  }
  const all = [...byName.values()];
  for (const gate of all) closeSiblings(gate, all);
  return {
    all: () => [...all],
    gate(provider, account) {
      const gate = byName.get(nameOf(provider, account));
      if (gate) return gate;
      const known = [...byName.keys()].join(', ') || 'none';
      throw new Error(`gate ${nameOf(provider, account)}: not served by this worker, expected one of: ${known}`);
    },
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
