// What chaos runs on: providers whose answers get lost now and then, rows that share questions across maps, and rows that share none.
import { type MapLab, type MapSpecInput, openMapLab } from '../helpers/map-lab';

const LIMITS = { concurrency: 8, rate: [{ limit: 40, per: '1s' }] };
/** Every fiftieth answer is charged and never arrives. */
const SIMULATED = {
  price: 0.01,
  missRate: 0.2,
  latencyMs: 100,
  faults: [{ kind: 'reset-after-charge' as const, rate: 0.02 }],
};
/** Different questions to the shared tool, over all maps. */
const QUESTIONS = 100;

/** `keyed` and `keyless` answer one row each, `shared` whoever asks the same. */
export const openChaosLab = (address: string, seed: number): Promise<MapLab> =>
  openMapLab({
    address,
    sim: { seed, providers: { keyed: SIMULATED, keyless: SIMULATED, shared: SIMULATED } },
    providers: {
      keyed: { limits: LIMITS },
      keyless: { limits: LIMITS, idempotent: false },
      shared: { limits: LIMITS, share: 'all' },
    },
    environment: { SLUICE_HEARTBEAT_TIMEOUT: '3s', SLUICE_LEASE_TTL: '3s', SLUICE_JOIN_AGAIN: '10s' },
  });

/** The `number`-th map: rows that no other map has, and questions that others ask too. */
export function chaosMap(number: number, rows: number): { spec: MapSpecInput; domains: string[] } {
  const domains = Array.from({ length: rows }, (_, row) => `m${number}r${row}.example`);
  const dataset = {
    rows: domains.map((domain, row) => ({ domain, question: `q${(number * 37 + row) % QUESTIONS}.example` })),
    key: 'domain',
  };
  const column = (name: string, tool: string, asked: string) => ({
    name,
    tool,
    input: { domain: `{{ row.${asked} }}` },
  });
  const columns = [
    column('keyed', 'keyed.company', 'domain'),
    column('shared', 'shared.company', 'question'),
    column('keyless', 'keyless.email', 'domain'),
  ];
  return { spec: { dataset, columns }, domains };
}
