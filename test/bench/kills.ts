// Rows over few inputs on three workers that are killed one after the other: what is charged, and what the map says of it.
import { openSharedLab, runWithKills } from '../crash/shared-lab';
import { type Measured, seconds } from './stage';

export async function measureKills(rows: number, inputs: number): Promise<Measured> {
  const lab = await openSharedLab();
  try {
    const startedMs = performance.now();
    const { rows: statuses, counts } = await (await runWithKills(lab, rows, inputs)).result();
    const { executed = 0, attached = 0, reused = 0 } = counts.columns.firm ?? {};
    const { charges, duplicateCharges, repeatedCharges } = lab.sim.summary();
    return {
      name: `${rows} rows over ${inputs} inputs, three workers killed`,
      figures: {
        done: statuses.done,
        unknown: statuses.unknown,
        'charges in the ledger': charges,
        'charged twice': duplicateCharges + repeatedCharges,
        bought: executed,
        attached,
        reused,
        seconds: seconds(performance.now() - startedMs),
      },
    };
  } finally {
    await lab.close();
  }
}
