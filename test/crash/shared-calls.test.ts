// Many rows over few inputs, and every worker is killed in turn: the ledger shows one charge for each input.
import { openSharedLab, runWithKills } from './shared-lab';

jest.setTimeout(240_000);

const ROWS = 600;
const INPUTS = 40;

test('600 rows over 40 inputs on three workers, each of which is killed: 40 charges, counted once, and every row is done', async () => {
  const lab = await openSharedLab();
  try {
    const { rows, counts } = await (await runWithKills(lab, ROWS, INPUTS)).result();
    expect(rows).toMatchObject({ done: ROWS });
    const { executed = 0, reused = 0, attached = 0, cost } = counts.columns.firm ?? {};
    expect({ executed, all: executed + reused + attached, cost }).toEqual({
      executed: INPUTS,
      all: ROWS,
      cost: INPUTS / 100,
    });
    expect(lab.sim.summary()).toMatchObject({ charges: INPUTS, duplicateCharges: 0, repeatedCharges: 0 });
  } finally {
    await lab.close();
  }
});
