// Fair share: two maps on one provider go on at the same pace whatever their size, and a small one is not behind a large one.
import { gateWorkflowId } from '../../contracts/ids';
import { eventually } from '../helpers/eventually';
import { domainRows, type MapLab, openMapLab, type StartedMap } from '../helpers/map-lab';
import { waitingCalls } from '../helpers/part-workers';

const LARGE = 200;
const SMALL = 40;
/** Calls that a worker may have taken from the queue before the gate was closed. */
const TAKEN = 12;

let lab: MapLab;

beforeAll(async () => {
  lab = await openMapLab({
    sim: { providers: { acme: { missRate: 0, latencyMs: 20 } } },
    providers: { acme: { limits: { rate: [{ limit: 10, per: '1s' }], concurrency: 4 } } },
  });
  await lab.worker();
});
afterAll(() => lab.close());

const spec = (prefix: string, rows: number) => ({
  dataset: { rows: domainRows(rows).map(({ domain }) => ({ domain: `${prefix}-${domain}` })), key: 'domain' },
  columns: [{ name: 'firm', tool: 'acme.company', input: { domain: '{{ row.domain }}' } }],
});

/** Of which map each request was, in the order in which the provider got them. */
const order = (from = 0): string[] =>
  lab.sim.ledger.slice(from).map(({ input }) => String(input.domain).split('-')[0]!);

const waiting = () => waitingCalls(lab, 'acme');

/** Both maps have all their calls in the queue before one more is sent, however slow the machine: the gate is paused meanwhile. Returns what was sent before, too. */
async function queueBoth(): Promise<{ first: StartedMap; second: StartedMap; before: number }> {
  const gate = lab.client.workflow.getHandle(gateWorkflowId('acme', 'default'));
  const from = lab.sim.ledger.length;
  const first = await lab.start(spec('first', LARGE), 'first');
  await lab.sim.waitFor(() => order(from).length >= 20);
  await gate.signal('pause');
  const queued = await eventually(waiting, (calls) => calls >= LARGE - order(from).length - TAKEN);
  const second = await lab.start(spec('second', SMALL), 'second');
  await eventually(waiting, (calls) => calls >= queued + SMALL - TAKEN);
  const before = lab.sim.ledger.length;
  await gate.signal('resume');
  return { first, second, before };
}

test('of two maps that have calls to send neither the larger one nor the one that came first goes before the other, and the small one ends long before the large one', async () => {
  const { first, second, before } = await queueBoth();
  expect((await second.result()).rows.done).toBe(SMALL);
  const sent = order(before);
  const firsts = sent.slice(0, SMALL).filter((map) => map === 'first').length;
  expect(firsts).toBeGreaterThanOrEqual(SMALL / 4);
  expect(firsts).toBeLessThanOrEqual(SMALL * 0.75);
  expect(sent.filter((map) => map === 'first').length).toBeLessThan(LARGE - 40);
  await first.signal('cancel');
  await first.result();
});
