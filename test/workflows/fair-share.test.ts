// Fair share: two maps on one provider go on at the same pace whatever their size, and a small one is not behind a large one.
import { domainRows, type MapLab, openMapLab } from '../helpers/map-lab';

/** So many that a small map which a busy machine takes seconds to start still meets a queue: ten calls a second. */
const LARGE = 200;
const SMALL = 10;

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

test('a small map that is started behind a large one ends long before it, and until then each has every other call', async () => {
  const large = await lab.start(spec('large', LARGE), 'large');
  await lab.sim.waitFor(() => order().length >= 20);
  const small = await lab.start(spec('small', SMALL), 'small');
  expect((await small.result()).rows.done).toBe(SMALL);
  const sent = order();
  expect(sent.filter((map) => map === 'large').length).toBeLessThan(LARGE - 20);
  // From its first call on the small map has about every other one: a few that were given out before are still to be sent.
  const since = sent.slice(sent.indexOf('small'), sent.lastIndexOf('small') + 1);
  const others = since.filter((map) => map === 'large').length;
  expect(others).toBeLessThanOrEqual(2 * SMALL);
  await large.signal('cancel');
  await large.result();
});

test('while both have calls to send, neither the larger map nor the one that came first has more of them', async () => {
  const before = lab.sim.ledger.length;
  const first = await lab.start(spec('first', LARGE), 'first');
  await lab.sim.waitFor(() => order(before).length >= 20);
  const second = await lab.start(spec('second', 40), 'second');
  await second.result();
  const sent = order(before);
  const both = sent.slice(sent.indexOf('second'), sent.lastIndexOf('second') + 1);
  const firsts = both.filter((map) => map === 'first').length;
  // Equal parts would be 40 of 80. Far fewer: the later map went before; all that were left: it went behind.
  expect(firsts).toBeGreaterThanOrEqual(12);
  expect(firsts).toBeLessThanOrEqual(64);
  await first.signal('cancel');
  await first.result();
});
