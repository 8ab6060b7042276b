// A row joins the call that it has seen, and no other: one that ended meanwhile has left where the next try goes on, so nobody starts it from its beginning.
import { MAIN_TASK_QUEUE, WORKFLOW } from '../../contracts/names';
import type { SharedCallInput } from '../../contracts/shared-call';
import { createSharedCalls } from '../../worker/shared-calls';
import { openTestNamespace, type TestNamespace } from '../helpers/test-namespace';

let server: TestNamespace;
beforeAll(async () => {
  server = await openTestNamespace();
});
afterAll(() => server.close());

const waiter = { workflowId: 'm/r/k:1', runId: 'run', call: 0 };
const input = { waiters: [waiter] } as unknown as SharedCallInput;

/** Nobody works for it, so it runs until somebody ends it. */
const start = (workflowId: string) =>
  server.client.workflow.start(WORKFLOW.sharedCall, { workflowId, taskQueue: MAIN_TASK_QUEUE, args: [input] });

test.each(['none', 'running'] as const)(
  'a call that was seen as %s, and has failed since, is not started',
  async (seen) => {
    const calls = createSharedCalls(server.client);
    const callId = `call/acme.company/${seen}`;
    if (seen === 'running') await start(callId);
    expect(await calls.look(callId)).toMatchObject({ kind: seen });
    if (seen === 'none') await start(callId);
    const call = server.client.workflow.getHandle(callId);
    const { runId } = await call.describe();
    await call.terminate();
    expect(await calls.attach(callId, seen, input, waiter)).toBe(false);
    expect(await call.describe()).toMatchObject({ runId, status: { name: 'TERMINATED' } });
    expect(await calls.look(callId)).toMatchObject({ kind: 'failed' });
    expect(await calls.attach(callId, 'failed', input, waiter)).toBe(true);
    expect(await call.describe()).toMatchObject({ status: { name: 'RUNNING' } });
  },
);

test('a call that was not there, and runs by now, is joined', async () => {
  const calls = createSharedCalls(server.client);
  const { workflowId, firstExecutionRunId } = await start('call/acme.company/begun');
  expect(await calls.attach(workflowId, 'none', input, waiter)).toBe(true);
  expect((await server.client.workflow.getHandle(workflowId).describe()).runId).toBe(firstExecutionRunId);
});
