// Several worker processes on one provider account: the provider's ledger judges that together they keep its limits.
import type { GateStatus } from '../../../contracts/gate';
import { gateWorkflowId } from '../../../contracts/ids';
import { LEASE_TTL_MS } from '../../../contracts/limits';
import { QUERY } from '../../../contracts/names';
import type { LedgerEntry } from '../../../examples/provider-sim/ledger';
import { startDevServer } from '../../helpers/dev-server';
import { eventually } from '../../helpers/eventually';
import { domainRows, type LabOptions, type MapLab, openMapLab } from '../../helpers/map-lab';
import { mostIn } from '../../workflows/gate-simulation';

/** So few that a machine which has other things to do can send them. */
const PER_SECOND = 18;
/** A loaded machine may deliver a request so much later than it left; a share too many is still seen. */
const DELIVERY_MS = 500;

let lab: MapLab;

/** Lends the lab of one test and closes it whatever happens. */
async function withLab(options: LabOptions, use: () => Promise<void>): Promise<void> {
  lab = await openMapLab(options);
  try {
    await use();
  } finally {
    await lab.close();
  }
}

/** Many calls a row, so that the machine is busy with calls and not with rows. */
const startCalls = (calls: number) =>
  lab.start({
    dataset: { rows: domainRows(calls / 20), key: 'domain' },
    columns: Array.from({ length: 20 }, (_, n) => ({
      name: `c${n}`,
      tool: 'acme.company',
      input: { domain: '{{ row.domain }}' },
    })),
    concurrency: { rows: 100 },
  });

const acme = (sim: LabOptions['sim']['providers'][string], limits: object): LabOptions => ({
  sim: { providers: { acme: { missRate: 0, ...sim } } },
  providers: { acme: { limits, price: 0 } },
});

const gateStatus = (): Promise<GateStatus> =>
  lab.client.workflow.getHandle(gateWorkflowId('acme', 'default')).query<GateStatus, []>(QUERY.status);

/** Waits until the gate has divided the limit like this. */
const untilShares = (shares: number[], withinMs = 30_000) =>
  eventually(
    gateStatus,
    ({ workers }) => JSON.stringify(workers.map(({ share }) => share.rate[0]?.limit)) === JSON.stringify(shares),
    withinMs,
  );

const arrivals = (ledger: readonly LedgerEntry[]) => ledger.map(({ arrivedAtMs }) => arrivedAtMs);

/** Waits until `seconds` from now on have, in a row, seen nearly as many calls as the limit allows. */
async function untilUsed(seconds: number): Promise<void> {
  const from = lab.sim.ledger.length;
  await lab.sim.waitFor((ledger) => mostIn(arrivals(ledger.slice(from)), seconds * 1000) >= 0.9 * PER_SECOND * seconds);
}

test(
  'three workers use the limit and never more, whether one dies or one is added',
  () =>
    withLab(acme({ latencyMs: 50 }, { rate: [{ limit: PER_SECOND, per: '1s' }] }), async () => {
      const workers = await Promise.all([lab.workerProcess(), lab.workerProcess(), lab.workerProcess()]);
      await startCalls(4000);
      await untilShares([6, 6, 6]);
      await untilUsed(4);
      await workers[0]?.kill();
      await untilShares([9, 9], 2 * LEASE_TTL_MS);
      await untilUsed(3);
      await lab.workerProcess();
      await untilShares([6, 6, 6]);
      await untilUsed(3);
      for (const seconds of [1, 3, 10]) {
        const most = mostIn(arrivals(lab.sim.ledger), seconds * 1000 - DELIVERY_MS);
        expect(most).toBeLessThanOrEqual(PER_SECOND * seconds);
      }
    }),
  180_000,
);

test('a closing costs at most the calls in flight over all workers, and who starts while it lasts sends nothing', async () => {
  const concurrency = 6;
  const closings = [{ atRequest: 60, durationMs: 25_000 }];
  const isRefused = ({ closing }: LedgerEntry) => closing === 1;
  await withLab(acme({ latencyMs: 200, closings }, { concurrency }), async () => {
    const workers = await Promise.all([lab.workerProcess(), lab.workerProcess(), lab.workerProcess()]);
    await startCalls(200);
    await lab.sim.waitFor((ledger) => ledger.some(isRefused));
    await eventually(gateStatus, ({ closedUntilMs }) => closedUntilMs !== null);
    await Promise.all(workers.map((worker) => worker.kill()));
    const refused = lab.sim.ledger.filter(isRefused).length;
    expect(refused).toBeLessThanOrEqual(concurrency);
    await lab.workerProcess();
    await lab.sim.waitFor((ledger) => ledger.filter(({ verdict }) => verdict === 'answered').length > 100);
    expect(lab.sim.ledger.filter(isRefused)).toHaveLength(refused);
    expect(lab.sim.summary().providers.acme?.maxInFlight).toBeLessThanOrEqual(concurrency);
  });
}, 120_000);

test('a worker that is cut off from the server sends nothing after the end of its lease, and goes on afterwards', async () => {
  const server = await startDevServer();
  const ttlMs = 3000;
  const options = {
    ...acme({}, { rate: [{ limit: 2, per: '1s' }] }),
    address: server.address,
    environment: { SLUICE_LEASE_TTL: `${ttlMs}ms` },
  };
  try {
    await withLab(options, async () => {
      const worker = await lab.workerProcess();
      await startCalls(200);
      await lab.sim.waitFor((ledger) => ledger.length === 6);
      server.freeze();
      const frozenAtMs = Date.now();
      const hasNoLease = async () => /no lease/.test(worker.log());
      await eventually(hasNoLease, (has) => has);
      const { length } = lab.sim.ledger;
      expect((lab.sim.ledger.at(-1)?.arrivedAtWallMs ?? 0) - frozenAtMs).toBeLessThan(ttlMs + DELIVERY_MS);
      server.thaw();
      await lab.sim.waitFor((ledger) => ledger.length > length + 4);
    });
  } finally {
    await server.stop();
  }
}, 120_000);
