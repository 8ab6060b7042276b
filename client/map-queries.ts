// Questions to the workflows of a map. Each gives null when no worker answers in time: that is a state to show, not an error.
import { QueryNotRegisteredError, WorkflowNotFoundError } from '@temporalio/client';
import { QUERY } from '../contracts/names';
import type { MapProgress, OpenRow, PageProgress, RowHolds, SectionProgress } from '../contracts/results';
import { GRPC, grpcCode, type Server, withinTime } from './server';

export interface MapQueries {
  map(mapId: string): Promise<MapProgress | null>;
  section(workflowId: string): Promise<SectionProgress | null>;
  page(workflowId: string): Promise<PageProgress | null>;
  openRows(pageWorkflowId: string): Promise<OpenRow[] | null>;
  row(workflowId: string): Promise<RowHolds | null>;
}

export function mapQueries(server: Server): MapQueries {
  const ask = async <T>(workflowId: string, query: string): Promise<T | null> => {
    try {
      return await withinTime(server, () => server.client.workflow.getHandle(workflowId).query<T>(query));
    } catch (error) {
      if (isUnanswered(error)) return null;
      throw error;
    }
  };
  return {
    map: (mapId) => ask(mapId, QUERY.progress),
    section: (workflowId) => ask(workflowId, QUERY.progress),
    page: (workflowId) => ask(workflowId, QUERY.progress),
    openRows: (workflowId) => ask(workflowId, QUERY.holds),
    row: (workflowId) => ask(workflowId, QUERY.holds),
  };
}

/** gRPC codes of a query that nobody answered: no poller on the queue, or one that did not come back in time. */
const NOBODY: readonly (number | undefined)[] = [GRPC.cancelled, GRPC.deadlineExceeded, GRPC.failedPrecondition];

/** A workflow that has no task behind it yet knows no query, and a page or row may be gone before it is asked. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof QueryNotRegisteredError ||
  error instanceof WorkflowNotFoundError ||
  NOBODY.includes(grpcCode(error));
