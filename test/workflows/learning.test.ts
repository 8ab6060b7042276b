// A limit that nobody declared is found by several workers through their shared gate, followed when it changes, and outlives every run of the gate.
import type { GateStatus } from '../../contracts/gate';
import { gateWorkflowId } from '../../contracts/ids';
import { MAIN_TASK_QUEUE, QUERY, WORKFLOW } from '../../contracts/names';
import { eventually } from '../helpers/eventually';
import { domainRows, openMapLab } from '../helpers/map-lab';

const CALLS = 4000;

test('two workers find a hidden limit within 10 %, and the next one after it changed, while the gate continues as new', async () => {
  const lab = await openMapLab({
    sim: { providers: { acme: { missRate: 0, latencyMs: 50, windows: [{ limit: 20, perMs: 1000 }] } } },
    providers: { acme: { price: 0 } },
    environment: { SLUICE_LEASE_TTL: '3s' },
  });
  try {
    const gate = await lab.client.workflow.start(WORKFLOW.providerGate, {
      workflowId: gateWorkflowId('acme', 'default'),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ leasesOfRun: 20 }],
    });
    await Promise.all([lab.workerProcess(), lab.workerProcess()]);
    const map = await lab.start({
      dataset: { rows: domainRows(CALLS / 20), key: 'domain' },
      columns: Array.from({ length: 20 }, (_, n) => ({
        name: `c${n}`,
        tool: 'acme.company',
        input: { domain: '{{ row.domain }}' },
      })),
      concurrency: { rows: 60 },
    });
    const handle = lab.client.workflow.getHandle(gate.workflowId);
    const untilLearned = (perSecond: number) =>
      eventually(
        async () => (await handle.query<GateStatus, []>(QUERY.status)).learned,
        (learned) => Math.abs((learned?.perSecond ?? 0) - perSecond) <= 0.1 * perSecond,
        120_000,
      );
    const first = await untilLearned(20);
    expect(first?.pin).toMatch(/^limits:\n {2}rate: \[ \{ limit: \d+, per: 10s \} \]/);
    lab.sim.control.setLimits('acme', { windows: [{ limit: 10, perMs: 1000 }] });
    await untilLearned(10);
    expect((await handle.describe()).runId).not.toBe(gate.firstExecutionRunId);
    await map.signal('cancel');
    await map.result();
  } finally {
    await lab.close();
  }
}, 300_000);
