// Resident memory of a worker while it runs 10,000 rows: it has to stay flat.

import { sumRowCounts } from '../../contracts/counting';
import { domainRows } from '../helpers/map-lab';
import { type Measured, onStage, residentMiB, rounded } from './stage';

const LOOK_EVERY_MS = 500;

export function measureMemory(rows: number): Promise<Measured> {
  return onStage({ sim: { providers: {} }, providers: {} }, async (lab) => {
    const worker = await lab.workerProcess();
    const startedMs = performance.now();
    const map = await lab.start({
      dataset: { rows: domainRows(rows), key: 'domain' },
      columns: [{ name: 'text', tool: 'local.text-normalize', input: { text: '{{ row.domain }}' } }],
    });
    const tenths: number[] = [];
    const ended = map.result().then(() => true);
    while (tenths.length < 10) {
      const isOver = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS, false))]);
      const done = isOver ? rows : sumRowCounts((await map.progress()).rows);
      while (tenths.length < 10 && done >= ((tenths.length + 1) * rows) / 10) tenths.push(residentMiB(worker.pid));
    }
    return {
      name: `memory over ${rows} rows`,
      figures: {
        'MiB at each tenth': tenths.join(' '),
        'last over second tenth': rounded((tenths[9] as number) / (tenths[1] as number)),
        'rows/s': rounded(rows / ((performance.now() - startedMs) / 1000), 1),
      },
    };
  });
}
