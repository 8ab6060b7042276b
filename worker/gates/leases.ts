// The leases of all gates of this worker.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Client } from '@temporalio/client';
import { STOP_LEASES_WITHIN_MS } from '../../contracts/limits';
import { type GateClock, systemClock } from './clock';
import { connectSharedGate } from './gate-client';
import type { Gates } from './gates';
import { type KeeperSettings, LeaseKeeper } from './lease-keeper';

export interface Leases {
  /** Gives all leases back; call it when no Worker runs any more. Takes at most STOP_LEASES_WITHIN_MS. */
  stop(): Promise<void>;
}

/** From now on no gate sends anything without a lease. Call it before the Workers run. */
export function keepLeases(
  gates: Gates,
  client: Client,
  { ttlMs, warn }: Omit<KeeperSettings, 'worker'>,
  clock: GateClock = systemClock,
): Leases {
  const worker = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
  const keepers = gates.all().map((gate) => {
    const { provider, account, unit } = gate.settings;
    return new LeaseKeeper(gate, connectSharedGate(client, provider, account, unit), { worker, ttlMs, warn }, clock);
  });
  return {
    async stop() {
      let stopTimer = () => {};
      const late = new Promise<void>((resolve) => {
        stopTimer = clock.startTimer(STOP_LEASES_WITHIN_MS, resolve);
      });
      await Promise.race([late, Promise.all(keepers.map((keeper) => keeper.stop()))]);
      stopTimer();
    },
  };
}
