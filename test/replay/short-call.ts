// A shared call whose runs are short, so that a history shows how one hands on to the next without hundreds of rows.
import { providerTaskQueue, sharedCallId } from '../../contracts/ids';
import { CALL_SIGNAL, MAIN_TASK_QUEUE, QUERY, WORKFLOW } from '../../contracts/names';
import type { RowHolds } from '../../contracts/results';
import type { SharedCallInput } from '../../contracts/shared-call';
import { eventually } from '../helpers/eventually';
import type { MapLab, StartedMap } from '../helpers/map-lab';

/** Of the tool that is called: a worker with another one would not send the call. */
export const SHORT_CALL_VERSION = '1';

/** A call that hands on after two joins, and rows that join it while it is held; they are none, so telling them fails. */
export async function holdShortCall({ client }: MapLab, map: StartedMap): Promise<void> {
  const waiter = (call: number) => ({ workflowId: 'no-row', runId: '', call });
  const tool = {
    tool: 'acme.company',
    version: SHORT_CALL_VERSION,
    provider: 'acme',
    account: 'default',
    taskQueue: providerTaskQueue('acme', 'default'),
    effect: 'read',
    price: 0.01,
    idempotent: true,
    timeoutMs: 10_000,
  } as const;
  const input: SharedCallInput = {
    mapId: map.mapId,
    tool,
    input: { domain: 'r0.example' },
    keys: { receiptKey: 'short', billingKey: 'short' },
    timing: { heartbeatTimeoutMs: 30_000, parkedAfterMs: 30_000, cancelGraceMs: 30_000 },
    waiters: [waiter(0)],
    joinsPerRun: 2,
  };
  const call = await client.workflow.start(WORKFLOW.sharedCall, {
    workflowId: sharedCallId('acme.company', 'short'),
    taskQueue: MAIN_TASK_QUEUE,
    args: [input],
  });
  const isHeld = () => call.query<RowHolds, []>(QUERY.holds);
  await eventually(isHeld, ({ calls }) => calls[0]?.state === 'hold');
  for (const number of [1, 2, 3]) await call.signal(CALL_SIGNAL.attach, waiter(number));
  await call.result();
}
