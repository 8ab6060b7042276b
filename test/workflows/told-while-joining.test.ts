// A row joins its shared call again just as that call ends: the word that it was told counts, since it may be the one with the purchase.
import { NativeConnection, Worker } from '@temporalio/worker';
import { CALL_SIGNAL, MAIN_TASK_QUEUE, WORKFLOW } from '../../contracts/names';
import type { Receipt } from '../../contracts/outcomes';
import type { RowPlan } from '../../contracts/plan';
import type { RowOutcome } from '../../contracts/results';
import { endForOthers, type JoinAnswer, type JoinInput, type SharedEnd } from '../../contracts/shared-call';
import { workflowBundle } from '../../worker/bundle';
import { openTestNamespace } from '../helpers/test-namespace';
import { installQuietRuntime } from '../replay/quiet-runtime';

installQuietRuntime();
jest.setTimeout(60_000);

const receipt: Receipt = {
  ...{
    receiptKey: 'r',
    tool: 'acme.company',
    toolVersion: '1',
    provider: 'acme',
    account: 'default',
    inputDigest: 'i',
  },
  ...{ status: 200, price: 0.5, answeredAtMs: 1, how: 'executed' },
  billing: { billingRequestId: 'b', idempotencyKey: null, sentAtMs: 1, invocationAttempt: 1 },
};
const bought: SharedEnd = {
  ...{ kind: 'completed', value: 'found', receipt, holds: 0 },
  cursor: { invocationAttempt: 1, retryFromInvocationAttempt: 0, throttles: 0, billingNumber: 0 },
};

const plan: RowPlan = {
  ...{ mapId: 'm', runId: 'run', name: 'm' },
  program: {
    kind: 'columns',
    columns: [{ name: 'firm', legs: [{ tool: 'acme.company', account: 'default', input: 1 }] }],
  },
  tools: {
    'acme.company@default': {
      ...{ tool: 'acme.company', version: '1', provider: 'acme', account: 'default', taskQueue: 'unused' },
      ...{ effect: 'read', price: 0.5, idempotent: true, timeoutMs: 1000, share: 'all' },
    },
  },
  timing: { heartbeatTimeoutMs: 30_000, parkedAfterMs: 30_000, cancelGraceMs: 1000, joinAgainMs: 1 },
};

test('the row that was told of the purchase counts it, although its own look finds the receipt of a call that has ended', async () => {
  const { address, namespace, client, close } = await openTestNamespace();
  const connection = await NativeConnection.connect({ address });
  let joins = 0;
  const worker = await Worker.create({
    ...{ connection, namespace, taskQueue: MAIN_TASK_QUEUE, workflowBundle: await workflowBundle() },
    activities: {
      /** As the server would show it: first a call that runs; then one that has told this row and completed. */
      async joinCall({ waiter }: JoinInput): Promise<JoinAnswer> {
        joins += 1;
        if (joins === 1) return { kind: 'waiting', callId: 'call/acme.company/r' };
        await client.workflow
          .getHandle(waiter.workflowId)
          .signal(CALL_SIGNAL.answer, { call: waiter.call, end: bought });
        return { kind: 'ended', callId: 'call/acme.company/r', end: endForOthers(bought, 'reused') };
      },
    },
  });
  try {
    const outcome = (await worker.runUntil(
      client.workflow.execute(WORKFLOW.mapRow, {
        ...{ workflowId: 'm/r/k:1', taskQueue: MAIN_TASK_QUEUE },
        args: [{ plan, row: { identity: 'k:1', ordinal: 0, line: 1, input: {} } }],
      }),
    )) as RowOutcome;
    expect(joins).toBe(2);
    expect(outcome.ledger).toMatchObject([{ status: 'done', receipt: { how: 'executed', price: 0.5 } }]);
  } finally {
    await connection.close();
    await close();
  }
});
