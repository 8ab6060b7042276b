import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: { providers: { acme: { price: 0.01, missRate: 0 } } },
    providers: { acme: { limits: { concurrency: 10 } } },
  });
  await lab.worker();
});
afterAll(() => lab.close());

test('every admitted row is done and charged once', async () => {
  const map = await lab.start({
    dataset: { rows: domainRows(20), key: 'domain' },
    columns: [{ name: 'firm', tool: 'acme.company', input: { domain: '{{ row.domain }}' } }],
  });
  const result = await map.result();
  expect(result.rows).toMatchObject({ done: 20, failed: 0 });
  expect(await map.table()).toHaveLength(20);
  expect(lab.sim.summary()).toMatchObject({ requests: 20, charges: 20, duplicateCharges: 0 });
});
