// A cancel that comes while the table is being written: workflow, result, summary and table all say the same.
import { domainRows, openMapLab } from '../helpers/map-lab';
import { statusesOf } from './look';

test('changes nothing any more: the map completes as its table says', async () => {
  const lab = await openMapLab({
    sim: { providers: {} },
    providers: {},
    environment: { SLUICE_HEARTBEAT_TIMEOUT: '3s' },
  });
  try {
    const worker = await lab.workerProcess({ SLUICE_CRASH_AT: 'finish.after_rename' });
    const map = await lab.start({
      dataset: { rows: domainRows(3), key: 'domain' },
      columns: [{ name: 'size', value: 1 }],
    });
    await worker.gone;
    await map.handle.cancel();
    await lab.worker();
    expect(await map.result()).toMatchObject({ status: 'completed', rows: { done: 3 } });
    expect((await map.summary()).status).toBe('completed');
    expect(statusesOf(await map.table())).toEqual({ done: 3 });
    expect(await map.progress()).toMatchObject({ state: 'completed', rows: { done: 3 } });
  } finally {
    await lab.close();
  }
});
