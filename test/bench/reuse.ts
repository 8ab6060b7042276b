// What reuse costs and saves: a first run that buys every answer, and a second one over the same rows that buys none.
import type { MapLab } from '../helpers/map-lab';
import { domainRows } from '../helpers/map-lab';
import { type Measured, onStage, rounded } from './stage';

interface Run {
  rowsPerSecond: number;
  executed: number;
  reused: number;
}

async function runOnce(lab: MapLab, rows: number): Promise<Run> {
  const startedMs = performance.now();
  const map = await lab.start({
    dataset: { rows: domainRows(rows), key: 'domain' },
    columns: [{ name: 'firm', tool: 'acme.company', input: { domain: '{{ row.domain }}' } }],
  });
  const { counts } = await map.result();
  const rowsPerSecond = rounded(rows / ((performance.now() - startedMs) / 1000), 1);
  const { executed = 0, reused = 0 } = counts.columns.firm ?? {};
  return { rowsPerSecond, executed, reused };
}

export function measureReuse(rows: number): Promise<Measured> {
  const sim = { providers: { acme: { price: 0.01, missRate: 0 } } };
  return onStage({ sim, providers: { acme: { share: 'all' } } }, async (lab) => {
    await lab.workerProcess();
    const first = await runOnce(lab, rows);
    const second = await runOnce(lab, rows);
    return {
      name: `reuse over ${rows} rows`,
      figures: {
        'first run: rows/s': first.rowsPerSecond,
        'first run: bought': first.executed,
        'second run: rows/s': second.rowsPerSecond,
        'second run: bought': second.executed,
        'second run: reused': second.reused,
        'charges in the ledger': lab.sim.summary().charges,
      },
    };
  });
}
