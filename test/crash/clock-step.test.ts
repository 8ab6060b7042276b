// The clock of a worker jumps by an hour while calls hold and others are under way, and then the worker is killed: holds last as long as before, nothing is bought twice.
import { join } from 'node:path';
import { openCalls } from '../controls/look';
import { eventually } from '../helpers/eventually';
import { calmTable, crashSpec, type ProviderName, withCrashLab } from './crash-lab';

jest.setTimeout(180_000);

const HOUR_MS = 3_600_000;
const ROWS = 12;
/** The first request meets a closed provider, for longer than a call may wait inside its activity. */
const CLOSES = { latencyMs: 100, closings: [{ atRequest: 4, durationMs: 12_000 }] };
const PRELOADED = `--require ${join(__dirname, '../helpers/shifted-clock.cjs')}`;

test.concurrent.each<[ProviderName, number]>([
  ['keyed', HOUR_MS],
  ['keyed', -HOUR_MS],
  ['keyless', HOUR_MS],
  ['keyless', -HOUR_MS],
])(
  '%s, the clock jumps by %d ms in a hold: each row is charged once, the table is that of a calm run',
  async (provider, stepMs) => {
    const spec = crashSpec(ROWS, `${provider}.company`);
    const calm = await calmTable(spec);
    await withCrashLab({ sim: CLOSES, limits: { concurrency: 2 } }, async (lab) => {
      const doomed = await lab.workerProcess({ NODE_OPTIONS: PRELOADED, SLUICE_TEST_CLOCK_STEP_MS: String(stepMs) });
      const map = await lab.start(spec);
      const aCallHolds = () =>
        eventually(
          () => openCalls(lab, map),
          (calls) => calls.some(({ state }) => state === 'hold'),
        );
      await aCallHolds();
      process.kill(doomed.pid, 'SIGUSR2');
      await eventually(
        async () => doomed.log(),
        (log) => log.includes('the clock was stepped'),
      );
      // It goes on under its new clock, and the next worker takes over what it leaves under the old one.
      await lab.sim.waitFor((entries) => entries.filter(({ charged }) => charged).length >= ROWS / 2);
      await doomed.kill();
      await lab.workerProcess();
      await map.result();
      const table = await map.table();
      const isUnknown = ({ _status }: { [column: string]: unknown }) => _status === 'unknown';
      expect(table.map((row, index) => (isUnknown(row) ? calm[index] : row))).toEqual(calm);
      // Without a key, what was under way at the kill may be unknown, and is never sent again.
      expect(table.filter(isUnknown).length).toBeLessThanOrEqual(provider === 'keyed' ? 0 : 2);
      expect(lab.sim.summary()).toMatchObject({ duplicateCharges: 0, repeatedCharges: 0 });
    });
  },
);
