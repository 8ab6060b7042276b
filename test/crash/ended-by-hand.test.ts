// A shared call whose answer came while no worker ran workflows, and which a person then ends by hand: its answer is in its history.
import { callColumns } from '../controls/look';
import { eventually } from '../helpers/eventually';
import { type MapLab, openMapLab } from '../helpers/map-lab';
import { waitingCalls, withPart } from '../helpers/part-workers';

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: { providers: { keyless: { price: 0.01, missRate: 0 } } },
    providers: { keyless: { share: 'all', idempotent: false } },
    environment: { SLUICE_JOIN_AGAIN: '2s', SLUICE_LEASE_TTL: '3s' },
  });
});
afterAll(() => lab.close());

async function sharedCalls(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of lab.client.workflow.list({ query: 'WorkflowType = "sharedCall"' }))
    ids.push(workflowId);
  return ids;
}

test('its rows are told that answer, it is not bought again, and one of them counts it', async () => {
  const rows = ['a', 'b', 'c'].map((name) => ({ name, domain: 'same.example' }));
  const map = await lab.start({ dataset: { rows, key: 'name' }, columns: callColumns('keyless.company') });
  await withPart(lab, 'main', () =>
    eventually(
      () => waitingCalls(lab, 'keyless'),
      (waiting) => waiting === 1,
      60_000,
    ),
  );
  await withPart(lab, 'providers', () => lab.sim.waitFor((entries) => entries.length === 1));
  const [id = ''] = await eventually(sharedCalls, (ids) => ids.length === 1);
  await lab.client.workflow.getHandle(id).terminate('by the test');
  await lab.worker();
  const { rows: ended, counts } = await map.result();
  expect(ended).toMatchObject({ done: 3 });
  expect(counts.columns.keyless).toMatchObject({ executed: 1, attached: 2, cost: 0.01 });
  expect(lab.sim.ledger).toHaveLength(1);
});
