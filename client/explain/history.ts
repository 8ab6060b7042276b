// Reads the recorded history of a workflow, page by page, and decodes what a step carried.
import { WorkflowNotFoundError } from '@temporalio/client';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow';
import type { temporal } from '@temporalio/proto';
import { HISTORY_EVENTS, HISTORY_PAGE_EVENTS } from '../../contracts/limits';
import { GRPC, grpcCode, type Server, withinTime } from '../server';

export type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payloads = temporal.api.common.v1.IPayloads | null | undefined;

/** The first value of a payload, by the converter of the connection; undefined when there is none. */
export async function firstValue<Value>(server: Server, payloads: Payloads): Promise<Value | undefined> {
  if (!payloads?.payloads?.length) return undefined;
  const [value] = await decodeArrayFromPayloads(server.client.options.loadedDataConverter, payloads.payloads);
  return value as Value | undefined;
}

export const atMsOf = ({ eventTime }: HistoryEvent): number =>
  Number(eventTime?.seconds ?? 0) * 1000 + Math.floor((eventTime?.nanos ?? 0) / 1e6);

/** Events in order, at most `most`; null for a workflow that the server does not know, or no longer. */
export async function historyOf(
  server: Server,
  workflowId: string,
  most: number = HISTORY_EVENTS,
): Promise<HistoryEvent[] | null> {
  const events: HistoryEvent[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  try {
    do {
      const request = {
        namespace: server.namespace,
        execution: { workflowId },
        maximumPageSize: Math.min(HISTORY_PAGE_EVENTS, most),
        nextPageToken,
      };
      const page = await withinTime(server, () =>
        server.connection.workflowService.getWorkflowExecutionHistory(request),
      );
      events.push(...(page.history?.events ?? []));
      nextPageToken = page.nextPageToken;
    } while (nextPageToken.length > 0 && events.length < most);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || grpcCode(error) === GRPC.notFound) return null;
    throw error;
  }
  return events.slice(0, most);
}
