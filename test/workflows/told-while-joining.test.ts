// A row joins its shared call again: rarely, and when that call ends just then the word that it was told counts, since it may be the one with the purchase.
import type { Client } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time';
import { NativeConnection, Worker } from '@temporalio/worker';
import { CALL_SIGNAL, MAIN_TASK_QUEUE, WORKFLOW } from '../../contracts/names';
import type { Receipt } from '../../contracts/outcomes';
import type { RowPlan } from '../../contracts/plan';
import type { RowOutcome } from '../../contracts/results';
import { endForOthers, type JoinAnswer, type JoinInput, type SharedEnd } from '../../contracts/shared-call';
import { workflowBundle } from '../../worker/bundle';
import { eventsOf } from '../helpers/row-history';
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

/** A row whose call is as `joinCall` says; what it ended with, and the time-outs of its timers in milliseconds. */
async function rowWith(joinCall: (client: Client, input: JoinInput) => Promise<JoinAnswer>) {
  const { address, namespace, client, close } = await openTestNamespace();
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    ...{ connection, namespace, taskQueue: MAIN_TASK_QUEUE, workflowBundle: await workflowBundle() },
    activities: { joinCall: (input: JoinInput) => joinCall(client, input) },
  });
  try {
    const workflowId = 'm/r/k:1';
    const row = { identity: 'k:1', ordinal: 0, line: 1, input: {} };
    const outcome = (await worker.runUntil(
      client.workflow.execute(WORKFLOW.mapRow, { workflowId, taskQueue: MAIN_TASK_QUEUE, args: [{ plan, row }] }),
    )) as RowOutcome;
    const timersMs = (await eventsOf(client, workflowId)).flatMap(({ timerStartedEventAttributes: timer }) =>
      timer?.startToFireTimeout ? [tsToMs(timer.startToFireTimeout)] : [],
    );
    return { outcome, timersMs };
  } finally {
    await connection.close();
    await close();
  }
}

const callId = 'call/acme.company/r';

test('the row that was told of the purchase counts it, although its own look finds the receipt of a call that has ended', async () => {
  let joins = 0;
  // As the server would show it: first a call that runs; then one that has told this row and completed.
  const { outcome } = await rowWith(async (client, { waiter }) => {
    joins += 1;
    if (joins === 1) return { kind: 'waiting', callId };
    await client.workflow.getHandle(waiter.workflowId).signal(CALL_SIGNAL.answer, { call: waiter.call, end: bought });
    return { kind: 'ended', callId, end: endForOthers(bought, 'reused') };
  });
  expect(joins).toBe(2);
  expect(outcome.ledger).toMatchObject([{ status: 'done', receipt: { how: 'executed', price: 0.5 } }]);
});

test('the word that counts the purchase stays, although the row joined once more and is told again as one that waited', async () => {
  // As when no worker runs for a while: both words are there before the row looks.
  const { outcome } = await rowWith(async (client, { waiter: { workflowId, call } }) => {
    const row = client.workflow.getHandle(workflowId);
    await row.signal(CALL_SIGNAL.answer, { call, end: bought });
    await row.signal(CALL_SIGNAL.answer, { call, end: endForOthers(bought, 'attached') });
    return { kind: 'waiting', callId };
  });
  expect(outcome.ledger).toMatchObject([{ status: 'done', receipt: { how: 'executed', price: 0.5 } }]);
});

test('a row that hears nothing asks again, each time after twice as long', async () => {
  let joins = 0;
  const { timersMs } = await rowWith(async () => {
    joins += 1;
    return joins < 5 ? { kind: 'waiting', callId } : { kind: 'ended', callId, end: endForOthers(bought, 'reused') };
  });
  expect(timersMs).toEqual([1, 2, 4, 8]);
});
