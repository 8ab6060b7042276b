// A worker that dies around a request: before it leaves, while the provider has it, after its answer came, or while a call holds.
import { openCalls } from '../controls/look';
import { eventually } from '../helpers/eventually';
import type { MapLab, StartedMap } from '../helpers/map-lab';
import { heardOfCall, rowIdsOf } from '../helpers/row-history';
import { calmTable, crashSpec, type ProviderName, type Simulated, type Table, withCrashLab } from './crash-lab';

// The tests of this file wait for their lost workers at the same time, five at once.
jest.setTimeout(180_000);

const ROWS = 5;
const calm = {} as { [provider in ProviderName]: Table };

beforeAll(async () => {
  calm.keyed = await calmTable(crashSpec(ROWS, 'keyed.company'));
  calm.keyless = await calmTable(crashSpec(ROWS, 'keyless.company'));
});

type Check = (lab: MapLab, map: StartedMap) => Promise<void>;

/** A map whose worker ends by itself at the named point, and a second worker that brings it to its end. */
const crashed = (provider: ProviderName, crashAt: string, check: Check): Promise<void> =>
  withCrashLab({}, async (lab) => {
    const doomed = await lab.workerProcess({ SLUICE_CRASH_AT: crashAt });
    const map = await lab.start(crashSpec(ROWS, `${provider}.company`));
    await doomed.gone;
    await lab.workerProcess();
    await map.result();
    await check(lab, map);
  });

/** A map whose worker is killed once `moment` has come, and a second worker that brings it to its end. */
const killed = (provider: ProviderName, sim: Simulated, moment: Check, check: Check): Promise<void> =>
  withCrashLab({ sim }, async (lab) => {
    const doomed = await lab.workerProcess();
    const map = await lab.start(crashSpec(ROWS, `${provider}.company`));
    await moment(lab, map);
    await doomed.kill();
    await lab.workerProcess();
    await map.result();
    await check(lab, map);
  });

/** The second request is charged, and its answer never comes. */
const HANGS: Simulated = { faults: [{ kind: 'hang-after-charge', requests: [2] }] };
const HANGS_ALWAYS: Simulated = { faults: [{ kind: 'hang-after-charge', rate: 1 }] };
const secondRequestArrived: Check = ({ sim }) => sim.waitFor((entries) => entries.length === 2);

/** The first request meets a closed provider, for longer than a call may wait inside its activity. */
const CLOSES: Simulated = { closings: [{ atRequest: 1, durationMs: 8000 }] };
const aCallHolds: Check = async (lab, map) => {
  await eventually(
    () => openCalls(lab, map),
    (calls) => calls.some(({ state }) => state === 'hold'),
  );
};

/** A keyed request does not wait for its mark: the server has it a moment later. */
async function theServerHasItsMark({ client }: MapLab, { mapId }: StartedMap): Promise<void> {
  const [rowId] = await rowIdsOf(client, mapId);
  await eventually(
    () => heardOfCall(client, rowId as string),
    (heard) => heard?.phase === 'sending',
  );
}

/** The one row that differs from a calm run: `unknown`, with the billing request that may have been charged. */
async function onlyUnknownDomain(map: StartedMap): Promise<unknown> {
  const table = await map.table();
  const unknown = table.filter(({ _status }) => _status === 'unknown');
  expect(unknown).toHaveLength(1);
  expect(table.map((row, index) => (row._status === 'unknown' ? calm.keyless[index] : row))).toEqual(calm.keyless);
  expect(await map.failures()).toMatchObject([{ status: 'unknown', code: 'WORKER_LOST' }]);
  return unknown[0]?.domain;
}

const requestsFor = ({ sim }: MapLab, domain: unknown) => sim.ledger.filter(({ input }) => input.domain === domain);

test.concurrent('keyed, killed before the request leaves: it is sent once, by the next worker', () =>
  crashed('keyed', 'call.before_send:2', async (lab, map) => {
    expect(await map.table()).toEqual(calm.keyed);
    expect(lab.sim.summary()).toMatchObject({ requests: ROWS, duplicateCharges: 0, repeatedCharges: 0 });
  }));

test.concurrent('keyed, killed while the provider has the charged request: asked again under its key, not charged again', () =>
  killed('keyed', HANGS, secondRequestArrived, async (lab, map) => {
    expect(await map.table()).toEqual(calm.keyed);
    expect(lab.sim.summary()).toMatchObject({ requests: ROWS + 1, duplicateCharges: 0, repeatedCharges: 0 });
    expect(lab.sim.ledger.map(({ verdict }) => verdict)).toContain('replayed');
  }));

test.concurrent('keyed, killed after the answer: asked again under its key, not charged again', () =>
  crashed('keyed', 'call.after_answer:2', async (lab, map) => {
    expect(await map.table()).toEqual(calm.keyed);
    expect(lab.sim.summary()).toMatchObject({ requests: ROWS + 1, duplicateCharges: 0, repeatedCharges: 0 });
    expect(lab.sim.ledger.map(({ verdict }) => verdict)).toContain('replayed');
  }));

test.concurrent('keyed, refused, asked again at once and killed after that answer: charged once, although history knows only the first request', () =>
  withCrashLab({ sim: { missRate: 0, closings: [{ atRequest: 1, durationMs: 500 }] } }, async (lab) => {
    const doomed = await lab.workerProcess({ SLUICE_CRASH_AT: 'call.after_answer:2' });
    const map = await lab.start(crashSpec(1, 'keyed.company'));
    await doomed.gone;
    await lab.workerProcess();
    expect(await map.result()).toMatchObject({ rows: { done: 1 } });
    expect(lab.sim.ledger.map(({ verdict }) => verdict)).toEqual(['closed', 'answered', 'replayed']);
    expect(lab.sim.summary()).toMatchObject({ charges: 1 });
  }));

test.concurrent('keyless, killed between mark and request: unknown although nothing had left, since nobody can tell', () =>
  crashed('keyless', 'call.before_send:2', async (lab, map) => {
    expect(requestsFor(lab, await onlyUnknownDomain(map))).toHaveLength(0);
    expect(lab.sim.summary()).toMatchObject({ requests: ROWS - 1, duplicateCharges: 0, repeatedCharges: 0 });
  }));

test.concurrent('keyless, killed while the provider has the charged request: unknown, never sent again', () =>
  killed('keyless', HANGS, secondRequestArrived, async (lab, map) => {
    expect(requestsFor(lab, await onlyUnknownDomain(map))).toHaveLength(1);
    expect(lab.sim.summary()).toMatchObject({ requests: ROWS, duplicateCharges: 0, repeatedCharges: 0 });
  }));

test.concurrent('keyless, killed after the answer: unknown, never sent again', () =>
  crashed('keyless', 'call.after_answer:2', async (lab, map) => {
    expect(requestsFor(lab, await onlyUnknownDomain(map))).toHaveLength(1);
    expect(lab.sim.summary()).toMatchObject({ requests: ROWS, duplicateCharges: 0, repeatedCharges: 0 });
  }));

test.concurrent('keyed, cancelled while its worker is lost with a charged request: cancelled, and the billing id is kept', () =>
  // The cancel has to reach the row before the loss is noticed, and the second worker starts first: a row that is not cancelled
  // yet would ask again and get its answer.
  withCrashLab({ sim: HANGS_ALWAYS, heartbeatTimeout: '40s' }, async (lab) => {
    const doomed = await lab.workerProcess();
    const map = await lab.start(crashSpec(1, 'keyed.company'));
    await lab.sim.waitFor((entries) => entries.length === 1);
    await theServerHasItsMark(lab, map);
    await doomed.kill();
    await map.signal('cancel');
    await lab.workerProcess();
    expect(await map.result()).toMatchObject({ status: 'cancelled', rows: { cancelled: 1 } });
    const [entry] = lab.sim.ledger;
    expect(await map.failures()).toMatchObject([
      { status: 'cancelled', code: 'CANCELLED_AFTER_SEND', billing: { idempotencyKey: entry?.idempotencyKey } },
    ]);
  }));

test.concurrent.each(['keyed', 'keyless'] as const)(
  '%s, killed in a hold: nothing is unknown, each row charged once',
  (provider) =>
    killed(provider, CLOSES, aCallHolds, async (lab, map) => {
      expect(await map.table()).toEqual(calm[provider]);
      expect(lab.sim.summary()).toMatchObject({ duplicateCharges: 0, repeatedCharges: 0 });
    }),
);
