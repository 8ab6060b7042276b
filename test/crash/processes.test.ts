// Whole processes that die under a running map: one of two workers, and the Temporal server itself.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevServer } from '../helpers/dev-server';
import { calmTable, crashSpec, type Table, withCrashLab } from './crash-lab';

jest.setTimeout(300_000);

const ROWS = 30;
const SPEC = crashSpec(ROWS, 'keyed.company', 'keyless.email');
let calm: Table;

beforeAll(async () => {
  calm = await calmTable(SPEC);
});

const isUnknown = ({ _status }: Table[number]) => _status === 'unknown';

test.concurrent('one of two workers is killed: the other takes over, and nothing that may be paid is sent twice', () =>
  withCrashLab({ limits: { concurrency: 2 }, sim: { latencyMs: 200 } }, async (lab) => {
    const [doomed] = await Promise.all([lab.workerProcess(), lab.workerProcess()]);
    const map = await lab.start(SPEC);
    await lab.sim.waitFor((entries) => entries.length === ROWS / 2);
    await doomed.kill();
    await map.result();
    const table = await map.table();
    // What the killed worker was sending without a key cannot be known; it sent at most two at a time.
    expect(table.filter(isUnknown).length).toBeLessThanOrEqual(2);
    expect(table.map((row, index) => (isUnknown(row) ? calm[index] : row))).toEqual(calm);
    expect(lab.sim.summary()).toMatchObject({ duplicateCharges: 0 });
  }));

test.concurrent('the server is killed and started again from its database: the map goes on and ends whole', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-crash-'));
  const server = await startDevServer({ dbFile: join(folder, 'temporal.db') });
  try {
    await withCrashLab(
      { limits: { concurrency: 2 }, sim: { latencyMs: 200 }, address: server.address },
      async (lab) => {
        await lab.workerProcess();
        const map = await lab.start(SPEC);
        await lab.sim.waitFor((entries) => entries.length === ROWS / 2);
        await server.kill();
        await server.restart();
        await map.result();
        const table = await map.table();
        expect(table.filter(isUnknown).length).toBeLessThanOrEqual(2);
        expect(table.map((row, index) => (isUnknown(row) ? calm[index] : row))).toEqual(calm);
        expect(lab.sim.summary()).toMatchObject({ duplicateCharges: 0 });
      },
    );
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
