// Every signal of a map, of its pages, rows and shared calls is delivered twice: nothing is bought twice, and the table is the same.

import type { GateStatus } from '../../contracts/gate';
import { gateWorkflowId } from '../../contracts/ids';
import { GATE_SIGNAL, MAIN_TASK_QUEUE, QUERY, WORKFLOW } from '../../contracts/names';
import { signalsTwice } from '../chaos/signals-twice';
import { openCalls } from '../controls/look';
import { eventually } from '../helpers/eventually';
import { domainRows, openMapLab, type StartedMap } from '../helpers/map-lab';
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

test.each(['keyed', 'keyless'])(
  '%s: a gate that was closed, paused, adjusted and given back hears everything again, and so does a map that was cancelled',
  async (provider) => {
    const spec = crashSpec(20, `${provider}.company`);
    const calm = await calmTable(spec);
    const sim = { latencyMs: 100, closings: [{ atRequest: 4, durationMs: 2000 }] };
    await withCrashLab({ limits: { concurrency: 3 }, sim }, async (lab) => {
      const gateId = gateWorkflowId(provider, 'default');
      const gate = lab.client.workflow.getHandle(gateId);
      const first = await lab.worker();
      const map = await lab.start(spec);
      await lab.sim.waitFor((entries) => entries.some(({ status }) => status === 429));
      await gate.signal(GATE_SIGNAL.pause);
      await gate.signal(GATE_SIGNAL.adjust, { concurrency: 2 });
      await gate.signal(GATE_SIGNAL.resume);
      await eventually(
        () => gate.query<GateStatus>(QUERY.status),
        ({ closedUntilMs }) => closedUntilMs !== null,
      );
      // Closed, paused, adjusted, resumed.
      expect(await signalsTwice(lab, map.mapId, [gateId])).toBeGreaterThanOrEqual(4);
      expect((await map.result()).rows.failed).toBe(0);
      expect(await map.table()).toEqual(calm);

      // The lease of a worker that has gone is given back a second time while another one works.
      first.stop();
      await first.finished;
      await lab.worker();
      const others = { rows: domainRows(60).slice(20), key: 'domain' };
      const cancelled = await lab.start({ ...spec, dataset: others });
      const before = lab.sim.ledger.length;
      await lab.sim.waitFor((entries) => entries.length >= before + 4);
      await cancelled.signal('cancel');
      expect(await signalsTwice(lab, cancelled.mapId, [gateId])).toBeGreaterThanOrEqual(6);
      const { rows } = await cancelled.result();
      expect(rows.done + rows.missed + rows.cancelled + rows.not_run).toBe(40);
      expect(lab.sim.summary()).toMatchObject({ duplicateCharges: 0 });
    });
  },
);

test.each([true, false])(
  'rows that join, leave and are told twice (key: %s): whoever stays gets the answer, and each is bought once',
  async (idempotent) => {
    const priced = { price: 0.01, missRate: 0, idempotency: idempotent };
    const lab = await openMapLab({
      sim: { providers: { first: priced, later: priced } },
      providers: { first: { share: 'all', idempotent }, later: { share: 'all', idempotent } },
    });
    try {
      // Nothing is sent until everybody has been told twice.
      const gate = await lab.client.workflow.signalWithStart(WORKFLOW.providerGate, {
        workflowId: gateWorkflowId('later', 'default'),
        taskQueue: MAIN_TASK_QUEUE,
        args: [{}],
        signal: GATE_SIGNAL.pause,
      });
      await lab.worker();
      const column = (name: string, tool: string) => ({ name, tool, input: { domain: '{{ row.domain }}' } });
      const spec = {
        dataset: { rows: [0, 1, 2, 3].map((n) => ({ n, domain: `d${n % 2}.example` })), key: 'n' },
        columns: [column('one', 'first.company'), column('two', 'later.company')],
      };
      const bothWait = async (map: StartedMap) => {
        await eventually(
          () => openCalls(lab, map),
          (calls) => calls.filter(({ column: name, sharedCall }) => name === 'two' && sharedCall).length === 4,
        );
      };
      const stays = await lab.start(spec);
      await bothWait(stays);
      const leaves = await lab.start({
        ...spec,
        columns: spec.columns.slice(1).map((one) => ({ ...one, name: 'two' })),
      });
      await bothWait(leaves);
      await leaves.signal('cancel');
      expect(await leaves.result()).toMatchObject({ rows: { cancelled: 4 } });
      // Each row was told its first answer by the call or found it, each has joined the second call, four have left.
      expect(await signalsTwice(lab, stays.mapId)).toBeGreaterThanOrEqual(8);
      await gate.signal(GATE_SIGNAL.resume);
      const { rows, counts } = await stays.result();
      expect(rows).toMatchObject({ done: 4 });
      expect(counts.columns).toMatchObject({ one: { executed: 2 }, two: { executed: 2 } });
      expect(lab.sim.summary()).toMatchObject({ charges: 4, duplicateCharges: 0, repeatedCharges: 0 });
    } finally {
      await lab.close();
    }
  },
);
