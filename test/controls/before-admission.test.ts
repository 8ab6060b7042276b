// Orders that arrive before any worker has looked at the map.
import { eventually } from '../helpers/eventually';
import { domainRows, openMapLab } from '../helpers/map-lab';
import { canceledResult, expectSameCounts } from './ended';
import { callColumns } from './look';

test('a cancelled map runs no row and has a whole table, a paused one starts no row until it is resumed', async () => {
  const lab = await openMapLab({ sim: { providers: { acme: { missRate: 0 } } }, providers: { acme: {} } });
  try {
    const spec = (rows: number) => ({
      dataset: { rows: domainRows(rows), key: 'domain' },
      columns: callColumns('acme.company'),
    });
    const bySignal = await lab.start(spec(300));
    const natively = await lab.start(spec(300));
    const paused = await lab.start(spec(5));
    await bySignal.signal('cancel');
    await natively.handle.cancel();
    await paused.signal('pause');
    await lab.worker();

    const result = await bySignal.result();
    expect(result).toMatchObject({ status: 'cancelled', rows: { not_run: 300 } });
    await expectSameCounts(bySignal, result);
    const summary = await canceledResult(natively);
    expect(summary).toMatchObject({ status: 'cancelled', rows: { not_run: 300 } });
    await expectSameCounts(natively, summary);
    const still = await eventually(
      () => paused.progress(),
      ({ state }) => state === 'paused',
    );
    expect(still).toMatchObject({ notStarted: 5, openPages: [] });
    expect(lab.sim.ledger).toEqual([]);

    await paused.signal('resume');
    expect(await paused.result()).toMatchObject({ status: 'completed', rows: { done: 5 } });
  } finally {
    await lab.close();
  }
});
