// A shared call hands on to its next run while rows leave it: each is told, whoever was the last, and whenever its wish came.
import { defaultPayloadConverter, type PayloadCodec } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { CALL_SIGNAL, MAIN_TASK_QUEUE, WORKFLOW } from '../../contracts/names';
import { type CallAnswer, firstProgress, type SharedCallInput, type Waiter } from '../../contracts/shared-call';
import { workflowBundle } from '../../worker/bundle';
import { eventually } from '../helpers/eventually';
import { eventsOf } from '../helpers/row-history';
import { openTestNamespace, type TestNamespace } from '../helpers/test-namespace';
import { installQuietRuntime } from '../replay/quiet-runtime';

installQuietRuntime();
jest.setTimeout(90_000);

let server: TestNamespace;
beforeAll(async () => {
  server = await openTestNamespace();
});
afterAll(() => server.close());

const HOLD_MS = 3_600_000;

/** A workflow that nobody works for: what it was told lies in its history. */
async function row(name: string): Promise<Waiter> {
  const workflowId = `m/r/${name}`;
  const { firstExecutionRunId: runId } = await server.client.workflow.start('row', {
    workflowId,
    taskQueue: 'nobody',
    args: [],
  });
  return { workflowId, runId, call: 0 };
}

async function toldTo({ workflowId }: Waiter): Promise<CallAnswer[]> {
  return (await eventsOf(server.client, workflowId)).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
    signal?.input?.payloads?.[0] ? [defaultPayloadConverter.fromPayload<CallAnswer>(signal.input.payloads[0])] : [],
  );
}

/** A call in a long hold, which hands on with the next row that joins. */
async function heldCall(callId: string, waiters: Waiter[]) {
  const input: SharedCallInput = {
    mapId: 'm',
    tool: {
      ...{ tool: 'acme.company', version: '1', provider: 'acme', account: 'default', taskQueue: 'nobody' },
      ...{ effect: 'read', price: 0.5, idempotent: true, timeoutMs: 1000, share: 'all' },
    },
    input: 1,
    keys: { receiptKey: callId, billingKey: callId },
    timing: { heartbeatTimeoutMs: 30_000, parkedAfterMs: 30_000, cancelGraceMs: 1000 },
    waiters,
    joinsPerRun: 1,
    progress: {
      ...firstProgress(),
      hold: {
        ...{ kind: 'hold', reason: 'throttled', scope: 'account', retryAtMs: Date.now() + HOLD_MS },
        cursor: firstProgress().cursor,
      },
    },
  };
  return server.client.workflow.start(WORKFLOW.sharedCall, {
    workflowId: callId,
    taskQueue: MAIN_TASK_QUEUE,
    args: [input],
  });
}

async function withWorker(codec: PayloadCodec | null, during: () => Promise<unknown>): Promise<void> {
  const { address, namespace } = server;
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    ...{ connection, namespace, taskQueue: MAIN_TASK_QUEUE, workflowBundle: await workflowBundle() },
    ...(codec ? { dataConverter: { payloadCodecs: [codec] } } : {}),
  });
  try {
    await worker.runUntil(during);
  } finally {
    await connection.close();
  }
}

/** Keeps a worker from finishing a step in which it answers a row that leaves, until the next of `events` has happened. */
function whileAnswering(events: (() => Promise<unknown>)[]): PayloadCodec {
  const left = [...events];
  return {
    async encode(payloads) {
      if (payloads.some(({ data }) => data && Buffer.from(data).includes('"left"'))) await left.shift()?.();
      return payloads;
    },
    decode: async (payloads) => payloads,
  };
}

type Message = [signal: 'attach' | 'detach', waiter: Waiter];

/**
 * Gives a call that is held `messages` in one step, in which it begins to hand on. Each of `late` comes while it answers a row that
 * leaves, the second one when the first row has its answer. Until all who leave are told.
 */
async function handOn(callId: string, waiters: Waiter[], messages: Message[], late: Message[]) {
  const call = await heldCall(callId, waiters);
  const say = ([signal, waiter]: Message) => call.signal(CALL_SIGNAL[signal], waiter);
  const leaving = [...messages, ...late].flatMap(([signal, waiter]) => (signal === 'detach' ? [waiter] : []));
  const areTold = (rows: Waiter[]) =>
    eventually(
      () => Promise.all(rows.map(toldTo)),
      (told) => told.every(({ length }) => length > 0),
    );
  await withWorker(null, () =>
    eventually(
      () => eventsOf(server.client, callId),
      (events) => events.some(({ timerStartedEventAttributes: timer }) => timer),
    ),
  );
  for (const message of messages) await say(message);
  const events = late.map((message, place) => async () => {
    if (place > 0) await areTold(leaving.slice(0, 1));
    await say(message);
  });
  await withWorker(whileAnswering(events), () => areTold(leaving));
  return call;
}

test('rows that leave while the call waits for its word to another one are told before the next run begins', async () => {
  const [stays, leaves, late, last] = [await row('stays'), await row('leaves'), await row('late'), await row('last')];
  const call = await handOn(
    'call/acme.company/some',
    [stays, leaves, late, last],
    [
      ['detach', leaves],
      ['attach', stays],
    ],
    [
      ['detach', late],
      ['detach', last],
    ],
  );
  expect(await toldTo(last)).toEqual([{ call: 0, left: true }]);
  expect(await toldTo(stays)).toEqual([]);
  await call.terminate();
});

test('the last row that leaves while the call hands on is told by the next run, which then ends unsent', async () => {
  const [first, joins, last] = [await row('first'), await row('joins'), await row('only')];
  const call = await handOn(
    'call/acme.company/none',
    [first, last],
    [
      ['detach', first],
      ['attach', joins],
      ['detach', joins],
    ],
    [['detach', last]],
  );
  expect(await toldTo(last)).toEqual([{ call: 0, left: true }]);
  await expect(call.result()).rejects.toMatchObject({ cause: { type: 'CALL_WITHDRAWN' } });
});
