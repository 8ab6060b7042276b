// Calls that are shared: rows that ask the same buy once, whoever of them ends, and later runs read the receipt.
import { WorkflowFailedError } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { sha256Hex } from '../../activities/store/json-lines';
import { sharedCallId } from '../../contracts/ids';
import { providerOperationKey, sharedReceiptKey } from '../../contracts/keys';
import { MAIN_TASK_QUEUE, WORKFLOW } from '../../contracts/names';
import type { Json } from '../../contracts/outcomes';
import type { ToolPlan } from '../../contracts/plan';
import type { SharedCallInput } from '../../contracts/shared-call';
import type { RowInput } from '../../workflows/map-row';
import { sluice } from '../client/fixtures/captured-shell';
import { openCalls } from '../controls/look';
import { eventually } from '../helpers/eventually';
import { type MapLab, openMapLab } from '../helpers/map-lab';
import { eventsOf, rowIdsOf } from '../helpers/row-history';

jest.setTimeout(120_000);

/** `quick` answers at once, `slow` after 3 s, `closed` refuses everybody for 8 s, `narrow` for 12 s, `huge` answers with 300 KB. */
let lab: MapLab;

beforeAll(async () => {
  const priced = { price: 0.01, missRate: 0 };
  const shared = { share: 'all' as const };
  lab = await openMapLab({
    sim: {
      providers: {
        quick: { ...priced, faults: [{ kind: 'miss', inputs: ['nobody.example'] }] },
        slow: { ...priced, latencyMs: 3000 },
        closed: { ...priced, closings: [{ atRequest: 1, durationMs: 8000 }] },
        later: { ...priced, closings: [{ atRequest: 1, durationMs: 60_000 }] },
        huge: { ...priced, answerFilling: 300_000 },
        narrow: { ...priced, closings: [{ atRequest: 1, durationMs: 12_000 }] },
        poor: { ...priced, faults: [{ kind: 'needs-credits', inputs: ['d0.example'], times: 1 }] },
        hanging: { ...priced, faults: [{ kind: 'hang-after-charge', requests: [1] }] },
        keyless: { ...priced, faults: [{ kind: 'hang-after-charge', requests: [1] }] },
      },
    },
    providers: {
      quick: shared,
      slow: shared,
      closed: shared,
      later: shared,
      huge: shared,
      narrow: shared,
      poor: shared,
      hanging: shared,
      keyless: { ...shared, idempotent: false },
    },
    environment: { SLUICE_JOIN_AGAIN: '2s', SLUICE_LEASE_TTL: '3s' },
  });
  await lab.worker();
});
afterAll(() => lab.close());

/** `rows` rows over `inputs` distinct domains. */
const spec = (tool: string, rows: number, inputs: number, prefix = 'd') => ({
  dataset: {
    rows: Array.from({ length: rows }, (_, n) => ({ n, domain: `${prefix}${n % inputs}.example` })),
    key: 'n',
  },
  columns: [{ name: 'firm', tool, input: { domain: '{{ row.domain }}' } }],
});

/** Ids of the shared calls of a tool, once the server lists one. */
const callsOf = (tool: string): Promise<string[]> =>
  eventually(
    () => listedCallsOf(tool),
    (ids) => ids.length > 0,
  );

async function listedCallsOf(tool: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of lab.client.workflow.list({ query: 'WorkflowType = "sharedCall"' })) {
    if (workflowId.startsWith(`call/${tool}/`)) ids.push(workflowId);
  }
  return ids;
}

test('rows that ask the same buy once, and a second run buys nothing', async () => {
  const first = await (await lab.start(spec('quick.company', 60, 6))).result();
  expect(first).toMatchObject({ rows: { done: 60 } });
  const { executed, attached, reused, cost } = first.counts.columns.firm!;
  expect({ executed, others: attached + reused, cost }).toEqual({ executed: 6, others: 54, cost: 0.06 });
  const second = await lab.start({ ...spec('quick.company', 60, 6), name: 'another' });
  expect((await second.result()).counts.columns.firm).toMatchObject({ executed: 0, reused: 60, cost: 0 });
  expect(new Set((await second.table()).map(({ firm }) => JSON.stringify(firm))).size).toBe(6);
});

test('a documented miss is an answer: it is reused like any other', async () => {
  const nobody = {
    dataset: { rows: [{ n: 0, domain: 'nobody.example' }], key: 'n' },
    columns: spec('quick.email', 1, 1).columns,
  };
  expect(await (await lab.start(nobody)).result()).toMatchObject({ rows: { missed: 1 } });
  const { counts } = await (await lab.start(nobody)).result();
  expect(counts.columns.firm).toMatchObject({ executed: 0, reused: 1, missed: 1 });
});

test('a refused call may be bought again, under the next billing request', async () => {
  expect(await (await lab.start(spec('poor.company', 1, 1))).result()).toMatchObject({ rows: { failed: 1 } });
  const [id] = await callsOf('poor.company');
  await expect(lab.client.workflow.getHandle(id as string).result()).rejects.toThrow(WorkflowFailedError);
});

test('an answer over 256 KB is read by another map from the store that all maps share', async () => {
  await (await lab.start(spec('huge.company', 2, 1))).result();
  const second = await lab.start(spec('huge.company', 2, 1));
  expect((await second.result()).counts.columns.firm).toMatchObject({ executed: 0, reused: 2 });
  expect(await second.table()).toMatchObject([{ firm: { filling: 'x'.repeat(300_000) } }, {}]);
});

test('rows that wait through a hold are all told, and one that is cancelled takes nothing from the others', async () => {
  const stays = await lab.start(spec('closed.company', 3, 1));
  await lab.sim.waitFor((entries) => entries.some(({ provider }) => provider === 'closed'));
  const leaves = await lab.start(spec('closed.company', 3, 1));
  await eventually(
    () => openCalls(lab, leaves),
    (calls) => calls.length === 3,
  );
  await leaves.signal('cancel');
  expect(await leaves.result()).toMatchObject({ status: 'cancelled', rows: { cancelled: 3 } });
  expect(await stays.result()).toMatchObject({ rows: { done: 3 }, counts: { columns: { firm: { executed: 1 } } } });
});

test('rows beyond what a call can hand on wait all the same: they ask again, and the call is charged once', async () => {
  const other = await lab.start(spec('narrow.company', 1, 1, 'other'));
  await lab.sim.waitFor((entries) => entries.some(({ provider }) => provider === 'narrow'));
  const [otherRow = ''] = await rowIdsOf(lab.client, other.mapId);
  const call = await startNarrowCall(await inputOf<RowInput>(otherRow), { domain: 'd0.example' });
  const map = await lab.start(spec('narrow.company', 30, 1));
  expect(await map.result()).toMatchObject({ rows: { done: 30 }, counts: { columns: { firm: { executed: 1 } } } });
  await other.result();
  expect(lab.sim.summary().providers.narrow).toMatchObject({ charges: 2, duplicateCharges: 0, repeatedCharges: 0 });
  const { waiters, leaving } = await inputOf<SharedCallInput>(call.workflowId);
  expect({ isCut: waiters.length < 10, leaving }).toEqual({ isCut: true, leaving: undefined });
});

/** Input of the workflow's latest run. */
async function inputOf<Input>(workflowId: string): Promise<Input> {
  const [started] = await eventsOf(lab.client, workflowId);
  const payload = started?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
  return defaultPayloadConverter.fromPayload(payload as Payload);
}

/** The call that rows of such a plan join for this input, as one that hands on after a few joins, and with few rows. */
function startNarrowCall({ plan: { mapId, timing, tools } }: RowInput, input: Json) {
  const tool = tools['narrow.company@default'] as ToolPlan;
  const operation = providerOperationKey({ ...tool, toolVersion: tool.version, input }, sha256Hex);
  const key = sharedReceiptKey(operation, sha256Hex);
  const keys = { receiptKey: key, billingKey: key };
  const waiters = [{ workflowId: 'no-row', runId: '', call: 0 }];
  const call: SharedCallInput = { mapId, tool, input, keys, timing, waiters, joinsPerRun: 3, handOnBytes: 2000 };
  return lab.client.workflow.start(WORKFLOW.sharedCall, {
    workflowId: sharedCallId(tool.tool, key),
    taskQueue: MAIN_TASK_QUEUE,
    args: [call],
  });
}

interface Status {
  providers: { provider: string; held: number; queued: number }[];
}

/** As a person sees the map. */
async function statusOf(mapId: string): Promise<Status> {
  const env = { TEMPORAL_ADDRESS: lab.address, TEMPORAL_NAMESPACE: lab.namespace };
  return JSON.parse((await sluice(['status', mapId, '--json'], { env })).stdout);
}

test('rows tell the hold of the call that they wait for; one that nobody waits for any more ends without being sent', async () => {
  const map = await lab.start(spec('later.company', 2, 1));
  const { providers } = await eventually(
    () => statusOf(map.mapId),
    (status) => status.providers[0]?.held === 2,
  );
  expect(providers).toMatchObject([{ provider: 'later.default', held: 2, queued: 0 }]);
  await map.signal('cancel');
  expect(await map.result()).toMatchObject({ status: 'cancelled' });
  const [id] = await callsOf('later.company');
  const { status } = await eventually(
    () => lab.client.workflow.getHandle(id as string).describe(),
    ({ status: { name } }) => name !== 'RUNNING',
  );
  expect(status.name).toBe('FAILED');
});

test('a call that was sent is finished for the row that leaves, and counted there', async () => {
  const map = await lab.start(spec('slow.company', 1, 1));
  await lab.sim.waitFor((entries) => entries.some(({ provider }) => provider === 'slow'));
  await map.signal('cancel');
  const { counts, rows } = await map.result();
  expect(rows).toMatchObject({ done: 1 });
  expect(counts.columns.firm).toMatchObject({ executed: 1, cost: 0.01 });
  const later = await (await lab.start(spec('slow.company', 1, 1))).result();
  expect(later.counts.columns.firm).toMatchObject({ executed: 0, reused: 1 });
});

test('a call that is terminated strands nobody: its rows join again, and the same key is charged once', async () => {
  const map = await lab.start(spec('hanging.company', 3, 1));
  await lab.sim.waitFor((entries) => entries.some(({ provider }) => provider === 'hanging'));
  const [id] = await callsOf('hanging.company');
  await lab.client.workflow.getHandle(id as string).terminate('by the test');
  expect(await map.result()).toMatchObject({ rows: { done: 3 } });
  expect(lab.sim.summary().providers.hanging).toMatchObject({ charges: 1, duplicateCharges: 0, repeatedCharges: 0 });
});

test('a call without a key that is terminated after it was sent is unknown, and never bought again by itself', async () => {
  const map = await lab.start(spec('keyless.company', 2, 1));
  await lab.sim.waitFor((entries) => entries.some(({ provider }) => provider === 'keyless'));
  const [id] = await callsOf('keyless.company');
  await lab.client.workflow.getHandle(id as string).terminate('by the test');
  expect(await map.result()).toMatchObject({ rows: { unknown: 2 } });
  expect(await (await lab.start(spec('keyless.company', 2, 1))).result()).toMatchObject({ rows: { unknown: 2 } });
  expect(lab.sim.summary().providers.keyless?.requests).toBe(1);
});
