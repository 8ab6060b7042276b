// A worker that dies between two steps of writing: a part is in the store, or the table has its name, and Temporal does not know it yet.
import { FLUSH_ROWS } from '../../contracts/limits';
import { calmTable, crashSpec, withCrashLab } from './crash-lab';

jest.setTimeout(180_000);

const FEW = crashSpec(3, 'keyed.company');
// Three flushes, so that one can end between two others.
const MANY = crashSpec(2 * FLUSH_ROWS + 20, 'keyed.company');

test.concurrent.each([
  ['between two flushes', 'results.after_write:2', MANY],
  ['after the table got its name', 'finish.after_rename', FEW],
])('killed %s: the table is that of a run without kills, and each row is charged once', async (_, point, spec) => {
  const calm = await calmTable(spec);
  await withCrashLab({ limits: {} }, async (lab) => {
    const doomed = await lab.workerProcess({ SLUICE_CRASH_AT: point });
    const map = await lab.start(spec);
    await doomed.gone;
    await lab.workerProcess();
    const { rows, status } = await map.result();
    expect(await map.table()).toEqual(calm);
    expect(status).toBe('completed');
    expect(rows.done + rows.missed).toBe(calm.length);
    expect(lab.sim.summary()).toMatchObject({ duplicateCharges: 0, repeatedCharges: 0 });
  });
});
