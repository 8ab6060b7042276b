// Every signal of a map, of its pages and of their rows is delivered twice: nothing is bought twice, and the table is the same.

import { signalsTwice } from '../chaos/signals-twice';
import { eventually } from '../helpers/eventually';
import { calmTable, crashSpec, withCrashLab } from './crash-lab';

jest.setTimeout(120_000);

test.each(['keyed', 'keyless'])(
  '%s: a map that was paused, resumed and changed hears everything again',
  async (provider) => {
    const spec = { ...crashSpec(40, `${provider}.company`), concurrency: { rows: 10 } };
    const calm = await calmTable(spec);
    await withCrashLab({ limits: { concurrency: 4 }, sim: { latencyMs: 200 } }, async (lab) => {
      await lab.worker();
      const map = await lab.start({ ...spec, limits: { maxCalls: 30 } });
      await lab.sim.waitFor((entries) => entries.length >= 8);
      await map.signal('pause');
      await map.signal('setConcurrency', { rows: 6 });
      await map.signal('resume');
      await signalsTwice(lab, map.mapId);
      // The repeated pause comes before the repeated resume, so the map runs on, up to its cap.
      await eventually(
        () => map.progress(),
        ({ pausedBy }) => pausedBy === 'maxCalls',
      );
      expect(await signalsTwice(lab, map.mapId)).toBeGreaterThan(3);
      await map.signal('setCaps', { maxCalls: null });
      await map.signal('setCaps', { maxCalls: null });
      const { rows } = await map.result();
      expect(rows.done + rows.missed).toBe(40);
      expect(await map.table()).toEqual(calm);
      expect(lab.sim.summary()).toMatchObject({ requests: 40, duplicateCharges: 0, repeatedCharges: 0 });
    });
  },
);
