// Records what a person says of an unknown call, once for each billing request, and waits a few seconds for a worker to check it.
import { WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client';
import { settledCallId } from '../contracts/ids';
import { CONFIRM_POLL_MS, CONFIRM_WITHIN_MS } from '../contracts/limits';
import { MAIN_TASK_QUEUE, WORKFLOW } from '../contracts/names';
import type { Settlement, SettlementInput } from '../contracts/settlement';
import { CommandError } from './command-error';
import type { UnknownCall } from './explain/call-to-settle';
import { readSettlement } from './explain/read-row';
import { settlementText } from './explain/render-story';
import { type Server, withinTime } from './server';
import type { Shell } from './shell';

/** Throws RESOLVE_REFUSED for a call that somebody has settled already. */
export function refuseSettled(
  { openBilling: { billingRequestId } }: UnknownCall,
  settlement: UnknownCall['settlement'],
): void {
  if (settlement === null) return;
  const how =
    settlement === 'pending'
      ? 'is being settled, and waits for a worker to check it'
      : `was settled ${settlementText(settlement)}`;
  throw new CommandError('RESOLVE_REFUSED', `the call with the billing id ${billingRequestId} ${how}`);
}

/** Starts the workflow that is the record. Throws RESOLVE_REFUSED when somebody else was quicker. */
export async function record(server: Server, call: UnknownCall, input: SettlementInput): Promise<void> {
  try {
    await withinTime(server, () =>
      server.client.workflow.start(WORKFLOW.settledCall, {
        taskQueue: MAIN_TASK_QUEUE,
        workflowId: settledCallId(call.openBilling.billingRequestId),
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        args: [input],
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    refuseSettled(call, (await readSettlement(server, call.openBilling.billingRequestId)) ?? 'pending');
  }
}

/** What the worker made of it; `pending` when none has answered in time. Throws RESOLVE_REFUSED when it refused. */
export async function untilChecked(
  server: Server,
  shell: Shell,
  { openBilling }: UnknownCall,
): Promise<Settlement | 'pending'> {
  const deadline = shell.now() + CONFIRM_WITHIN_MS;
  do {
    const settlement = await readSettlement(server, openBilling.billingRequestId);
    if (settlement === null) throw new CommandError('RESOLVE_REFUSED', await whyRefused(server, openBilling));
    if (settlement !== 'pending') return settlement;
    await shell.pause(CONFIRM_POLL_MS);
  } while (shell.now() < deadline && !shell.interrupted.aborted);
  return 'pending';
}

async function whyRefused(server: Server, { billingRequestId }: UnknownCall['openBilling']): Promise<string> {
  try {
    await server.client.workflow.getHandle(settledCallId(billingRequestId)).result();
    return `the call with the billing id ${billingRequestId} was settled by somebody else just now`;
  } catch (error) {
    const cause = error instanceof WorkflowFailedError ? error.cause : error;
    return innermost(cause);
  }
}

const innermost = (error: unknown): string =>
  error instanceof Error ? (error.cause === undefined ? error.message : innermost(error.cause)) : String(error);
