// How a worker talks to the gate that all workers share: an update that starts it when it is not there, and signals.
import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import type {
  Lease,
  LeaseRequest,
  NeedsPersonSignal,
  ReturnedSignal,
  SucceededSignal,
  ThrottledSignal,
} from '../../contracts/gate';
import { gateWorkflowId } from '../../contracts/ids';
import { LEASE_ANSWER_WITHIN_MS } from '../../contracts/limits';
import { GATE_SIGNAL, LEASE_UPDATE, MAIN_TASK_QUEUE, WORKFLOW } from '../../contracts/names';

/** What a keeper needs of the shared gate. Every method rejects when the server does not answer in time. */
export interface SharedGate {
  lease(request: LeaseRequest): Promise<Lease>;
  throttled(message: ThrottledSignal): Promise<void>;
  succeeded(message: SucceededSignal): Promise<void>;
  needsPerson(message: NeedsPersonSignal): Promise<void>;
  returned(message: ReturnedSignal): Promise<void>;
}

export function connectSharedGate(
  { workflow, connection }: Client,
  ...gate: Parameters<typeof gateWorkflowId>
): SharedGate {
  const place = {
    workflowId: gateWorkflowId(...gate),
    taskQueue: MAIN_TASK_QUEUE,
    workflowIdConflictPolicy: 'USE_EXISTING',
  } as const;
  const within = <Answer>(waitMs: number, ask: () => Promise<Answer>): Promise<Answer> =>
    connection.withDeadline(Date.now() + waitMs + LEASE_ANSWER_WITHIN_MS, ask);
  async function signal(name: keyof typeof GATE_SIGNAL, ...signalArgs: unknown[]): Promise<void> {
    const options = { ...place, signal: GATE_SIGNAL[name], signalArgs };
    await within(0, () => workflow.signalWithStart(WORKFLOW.providerGate, options));
  }
  return {
    lease: (request) =>
      within(request.waitMs, () =>
        workflow.executeUpdateWithStart<() => Promise<void>, Lease, [LeaseRequest]>(LEASE_UPDATE, {
          args: [request],
          startWorkflowOperation: new WithStartWorkflowOperation(WORKFLOW.providerGate, place),
        }),
      ),
    throttled: (message) => signal('throttled', message),
    succeeded: (message) => signal('succeeded', message),
    needsPerson: (message) => signal('needsPerson', message),
    returned: (message) => signal('returned', message),
  };
}
