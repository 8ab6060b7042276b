// Reads what history has of a map's rows: their calls with cursors, and workflow tasks that failed.
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { pageWorkflowId } from '../../contracts/ids';
import { DISPATCH_ACTIVITY } from '../../contracts/names';
import type { CallOutcome, DispatchInput, SendingMark } from '../../contracts/outcomes';
import type { RowResult } from '../../contracts/results';

type Event = temporal.api.history.v1.IHistoryEvent;
type Payloads = temporal.api.common.v1.IPayloads | null | undefined;

const first = <Value>(payloads: Payloads): Value =>
  defaultPayloadConverter.fromPayload(payloads?.payloads?.[0] as temporal.api.common.v1.IPayload);

/** Events of one page: a few large answers already make a page of the usual size too large for one message. */
const PAGE_EVENTS = 10;

/** The whole history of a workflow. */
export async function eventsOf(client: Client, workflowId: string): Promise<Event[]> {
  const { namespace } = client.options;
  const request = { namespace, execution: { workflowId }, maximumPageSize: PAGE_EVENTS };
  const events: Event[] = [];
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await client.workflowService.getWorkflowExecutionHistory({
      ...request,
      ...(nextPageToken ? { nextPageToken } : {}),
    });
    events.push(...(page.history?.events ?? []));
    nextPageToken = page.nextPageToken;
  } while (nextPageToken?.length);
  return events;
}

/** Workflow ids of the rows of a page, in the order in which they were started. */
export async function rowIdsOf(client: Client, mapId: string, page = 0): Promise<string[]> {
  const events = await eventsOf(client, pageWorkflowId(mapId, page));
  return events.flatMap(
    ({ startChildWorkflowExecutionInitiatedEventAttributes: started }) => started?.workflowId ?? [],
  );
}

/** One dispatch of a row. `outcome` is null while it is under way, and when it ended without one. */
export interface RecordedDispatch {
  input: DispatchInput;
  outcome: CallOutcome | null;
}

/** The dispatches of a row workflow in order. */
export async function dispatchesOf(client: Client, workflowId: string): Promise<RecordedDispatch[]> {
  const byEvent = new Map<string, RecordedDispatch>();
  for (const event of await eventsOf(client, workflowId)) {
    const { activityTaskScheduledEventAttributes: scheduled, activityTaskCompletedEventAttributes: completed } = event;
    if (scheduled?.activityType?.name === DISPATCH_ACTIVITY) {
      byEvent.set(String(event.eventId), { input: first(scheduled.input), outcome: null });
    }
    const dispatch = byEvent.get(String(completed?.scheduledEventId));
    if (dispatch) dispatch.outcome = first(completed?.result);
  }
  return [...byEvent.values()];
}

/** How a row workflow ended. */
export const rowResult = (client: Client, workflowId: string): Promise<RowResult> =>
  client.workflow.getHandle(workflowId).result() as Promise<RowResult>;

/** Causes of the workflow tasks that failed in the map, a page and its rows; empty = the workflow code never threw. */
export async function failedWorkflowTasks(client: Client, mapId: string): Promise<string[]> {
  const ids = [mapId, pageWorkflowId(mapId, 0), ...(await rowIdsOf(client, mapId))];
  const histories = await Promise.all(ids.map((id) => eventsOf(client, id)));
  return histories
    .flat()
    .flatMap(({ workflowTaskFailedEventAttributes: failed }) => (failed ? [failed.failure?.message ?? 'failed'] : []));
}

/** What the server has heard last of the call that a row is in: its sending mark, or that it waits. */
export async function heardOfCall(
  client: Client,
  workflowId: string,
): Promise<SendingMark | { phase: 'waiting' } | null> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  const details = raw.pendingActivities?.[0]?.heartbeatDetails;
  return details?.payloads?.length ? first(details) : null;
}
