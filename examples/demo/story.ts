// What the demo tells while the map runs: the closings of the providers, by their own ledger.
import type { LedgerEntry } from '../provider-sim/ledger';
import type { ProviderSim } from '../provider-sim/start';

const refused = (provider: string) => (entry: LedgerEntry) =>
  entry.provider === provider && entry.closing !== undefined;
const answered = (provider: string) => (entry: LedgerEntry) => entry.provider === provider && entry.status === 200;

/** Announces that a provider has closed, at its first refusal, and that it answers again. Ends with the second. */
export async function tellClosing(
  sim: ProviderSim,
  provider: string,
  announce: (...lines: string[]) => void,
): Promise<void> {
  await sim.waitFor((entries) => entries.some(refused(provider)));
  const closedAt = sim.ledger.findIndex(refused(provider));
  announce(
    `>>> ${provider} has closed: it answers 429 with Retry-After. Nobody else asks it now;`,
    '    its calls wait in durable timers and in the task queue, and rows that need the other provider go on.',
  );
  await sim.waitFor((entries) => entries.slice(closedAt).some(answered(provider)));
  const refusals = sim.ledger.filter(refused(provider)).length;
  announce(`>>> ${provider} is open again, after ${refusals} refused ${refusals === 1 ? 'request' : 'requests'}.`);
}
