// Whole processes that die under a running map: one of two workers, and the Temporal server itself.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type DevServer, startDevServer } from '../helpers/dev-server';
import type { MapLab, StartedMap } from '../helpers/map-lab';
import { calmTable, crashSpec, type Table, withCrashLab } from './crash-lab';

jest.setTimeout(180_000);

const ROWS = 30;
const SPEC = crashSpec(ROWS, 'keyed.company', 'keyless.email');
let calm: Table;

beforeAll(async () => {
  calm = await calmTable(SPEC);
});

/** A server of its own, since the one of this run has other guests. */
async function withOwnServer(use: (server: DevServer) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-crash-'));
  const server = await startDevServer({ dbFile: join(folder, 'temporal.db') });
  try {
    await use(server);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Calls without a key that were under way at the moment of the kill may be unknown; everything else is as in a calm run. */
async function expectWhole({ sim }: MapLab, map: StartedMap, mostUnknown: number): Promise<void> {
  const table = await map.table();
  const isUnknown = ({ _status }: Table[number]) => _status === 'unknown';
  expect(table.map((row, index) => (isUnknown(row) ? calm[index] : row))).toEqual(calm);
  expect(table.filter(isUnknown).length).toBeLessThanOrEqual(mostUnknown);
  expect(sim.summary()).toMatchObject({ duplicateCharges: 0, repeatedCharges: 0 });
}

const CONCURRENCY = 2;
const BUSY = { limits: { concurrency: CONCURRENCY }, sim: { latencyMs: 200 } };

test.concurrent('one of two workers is killed: the other takes over, and nothing that may be paid is sent twice', () =>
  withCrashLab(BUSY, async (lab) => {
    const [doomed] = await Promise.all([lab.workerProcess(), lab.workerProcess()]);
    const map = await lab.start(SPEC);
    await lab.sim.waitFor((entries) => entries.length === ROWS / 2);
    await doomed.kill();
    await map.result();
    await expectWhole(lab, map, CONCURRENCY);
  }));

test.concurrent('the server is killed and started again from its database: the map goes on and ends whole', () =>
  withOwnServer((server) =>
    withCrashLab({ ...BUSY, address: server.address }, async (lab) => {
      await lab.workerProcess();
      const map = await lab.start(SPEC);
      await lab.sim.waitFor((entries) => entries.length === ROWS / 2);
      await server.kill();
      await server.restart();
      await map.result();
      await expectWhole(lab, map, CONCURRENCY);
    }),
  ));

// Longer than the SDK repeats a request, shorter than a heartbeat time-out.
const OUTAGE_MS = 15_000;
const PACED = { limits: { rate: [{ limit: 4, per: '1s' }] }, heartbeatTimeout: '40s' };

test.concurrent('the server is away for long while calls without a key wait for their turn: they wait on, none of them fails', () =>
  withOwnServer((server) =>
    withCrashLab({ ...PACED, address: server.address }, async (lab) => {
      await lab.workerProcess();
      const map = await lab.start(SPEC);
      await lab.sim.waitFor((entries) => entries.some(({ provider }) => provider === 'keyless'));
      await server.kill();
      await pause(OUTAGE_MS);
      await server.restart();
      await map.result();
      await expectWhole(lab, map, 2);
    }),
  ));
