// What the crash tests share: workers that count as lost after 3 s, a keyed and a keyless provider, and the table of a run without kills.
import type { SimOptions } from '../../examples/provider-sim/options';
import { domainRows, type LabProvider, type MapLab, type MapSpecInput, openMapLab } from '../helpers/map-lab';

/** `keyed` sends an idempotency key with each call; `keyless` has none, so that a second request would be a second charge. */
export type ProviderName = 'keyed' | 'keyless';

/** What both simulated providers do besides answering. */
export type Simulated = Pick<SimOptions['providers'][string], 'faults' | 'closings' | 'latencyMs' | 'missRate'>;

export interface CrashLabOptions {
  /** Of both providers; default `{ concurrency: 1 }`: exactly one request is under way at any time. */
  limits?: LabProvider['limits'];
  sim?: Simulated;
  address?: string;
  /** Default 3s. */
  heartbeatTimeout?: string;
}

export type Table = { [column: string]: unknown }[];

/** Lends a lab and closes it whatever happens, so that tests can wait for their lost workers at the same time. */
export async function withCrashLab<Result>(
  { limits = { concurrency: 1 }, address, sim = {}, heartbeatTimeout = '3s' }: CrashLabOptions,
  use: (lab: MapLab) => Promise<Result>,
): Promise<Result> {
  // The seed alone decides the answers, so equal rows give equal tables in every lab.
  const provider = { price: 0.01, missRate: 0.2, ...sim };
  const lab = await openMapLab({
    sim: { seed: 7, providers: { keyed: provider, keyless: provider } },
    providers: { keyed: { limits }, keyless: { limits, idempotent: false } },
    environment: { SLUICE_HEARTBEAT_TIMEOUT: heartbeatTimeout, SLUICE_LEASE_TTL: '3s' },
    ...(address === undefined ? {} : { address }),
  });
  try {
    return await use(lab);
  } finally {
    await lab.close();
  }
}

/** One column for each tool, over rows `{ domain }`. */
export const crashSpec = (rows: number, ...tools: string[]): MapSpecInput => ({
  dataset: { rows: domainRows(rows), key: 'domain' },
  columns: tools.map((tool) => ({ name: tool.replace('.', '_'), tool, input: { domain: '{{ row.domain }}' } })),
});

/** The table of a run in which nothing happens, in a lab of its own: its requests must not count in anybody's ledger. */
export const calmTable = (spec: MapSpecInput): Promise<Table> =>
  withCrashLab({ limits: {} }, async (lab) => {
    await lab.worker();
    const map = await lab.start(spec);
    await map.result();
    return map.table();
  });
