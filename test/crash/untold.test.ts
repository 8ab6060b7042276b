// A shared call ends while nobody is there who could tell its rows: the answer is in its history, so they are told later, and nothing is bought again.
import { WORKFLOW } from '../../contracts/names';
import { openCalls } from '../controls/look';
import { eventually } from '../helpers/eventually';
import { type MapLab, openMapLab } from '../helpers/map-lab';
import { waitingCalls, withPart } from '../helpers/part-workers';
import { eventsOf } from '../helpers/row-history';

jest.setTimeout(120_000);

/** Ids of the shared calls as the rows that wait for them know them. */
async function sharedCalls(lab: MapLab): Promise<string[]> {
  const ids = new Set<string>();
  for await (const { workflowId } of lab.client.workflow.list({ query: `WorkflowType = '${WORKFLOW.sharedCall}'` })) {
    ids.add(workflowId);
  }
  return [...ids];
}

const hasAnswer = async ({ client }: MapLab, callId: string): Promise<boolean> =>
  (await eventsOf(client, callId)).some(({ activityTaskCompletedEventAttributes: completed }) => completed);

test.each([true, false])(
  'workers are gone between the answer and the word to its rows (key: %s): all are told, one charge',
  async (idempotent) => {
    const lab = await openMapLab({
      sim: { providers: { acme: { price: 0.01, missRate: 0, idempotency: idempotent } } },
      providers: { acme: { share: 'all', idempotent } },
      environment: { SLUICE_LEASE_TTL: '3s' },
    });
    try {
      const map = await lab.start({
        dataset: { rows: [{ n: 0 }, { n: 1 }, { n: 2 }], key: 'n' },
        columns: [{ name: 'firm', tool: 'acme.company', input: { domain: 'one.example' } }],
      });
      await withPart(lab, 'main', async () => {
        await eventually(
          () => openCalls(lab, map),
          (calls) => calls.filter(({ sharedCall }) => sharedCall).length === 3,
        );
        await eventually(
          () => waitingCalls(lab, 'acme'),
          (count) => count === 1,
        );
      });
      const [callId] = await eventually(
        () => sharedCalls(lab),
        (ids) => ids.length === 1,
      );
      await withPart(lab, 'providers', () =>
        eventually(
          () => hasAnswer(lab, callId as string),
          (answered) => answered,
        ),
      );
      expect((await lab.client.workflow.getHandle(callId as string).describe()).status.name).toBe('RUNNING');
      await lab.worker();
      const { rows, counts } = await map.result();
      expect(rows).toMatchObject({ done: 3 });
      expect(counts.columns.firm).toMatchObject({ executed: 1, attached: 2, cost: 0.01 });
      expect(lab.sim.summary()).toMatchObject({ requests: 1, charges: 1, duplicateCharges: 0, repeatedCharges: 0 });
    } finally {
      await lab.close();
    }
  },
);
