// Rows over few inputs whose answers are shared, on three workers that are killed one after the other; in the tests small, in the bench large.
import { type MapLab, openMapLab, type StartedMap } from '../helpers/map-lab';

/** One provider, slow enough that a worker can be killed with calls in its hands. */
export const openSharedLab = (): Promise<MapLab> =>
  openMapLab({
    sim: { seed: 7, providers: { shared: { price: 0.01, missRate: 0, latencyMs: 400 } } },
    providers: { shared: { share: 'all', limits: { concurrency: 4 } } },
    environment: { SLUICE_HEARTBEAT_TIMEOUT: '3s', SLUICE_LEASE_TTL: '3s', SLUICE_JOIN_AGAIN: '20s' },
  });

/** The map, once it has ended: each of three workers was killed while it ran, and another one started for it. */
export async function runWithKills(lab: MapLab, rows: number, inputs: number): Promise<StartedMap> {
  const workers = await Promise.all([1, 2, 3].map(() => lab.workerProcess()));
  const map = await lab.start({
    dataset: { rows: Array.from({ length: rows }, (_, n) => ({ n, domain: `d${n % inputs}.example` })), key: 'n' },
    columns: [{ name: 'firm', tool: 'shared.company', input: { domain: '{{ row.domain }}' } }],
  });
  for (const [number, worker] of workers.entries()) {
    await lab.sim.waitFor((entries) => entries.length >= (inputs / 4) * (number + 1));
    await worker.kill();
    await lab.workerProcess();
  }
  await map.result();
  return map;
}
