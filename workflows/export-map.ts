// An export: the table of a map as it is now, written by one activity, so that it survives the worker that writes it.
import { workflowInfo } from '@temporalio/workflow';
import type { ExportResult } from '../contracts/export';
import { HEARTBEAT_TIMEOUT_MS } from '../contracts/limits';
import { mapActivities } from './activity-proxies';
import { asWorkflowFailure } from './activity-refusal';

/**
 * Writes the outputs of a map that has ended once more, or with `to` its rows as they are now into a file of their own. `request`:
 * an ExportRequest, validated by the activity; the workflow id is `<map>/export`. The map itself is not touched. Ends Completed
 * with an {@link ExportResult}; Failed with EXPORT_REFUSED, MAP_NOT_IN_STORE, OUTPUT_EXISTS, OUTPUT_UNWRITABLE …
 */
export async function exportMap(request: unknown): Promise<ExportResult> {
  const activities = mapActivities(HEARTBEAT_TIMEOUT_MS);
  try {
    return await activities.exportMap({ runId: workflowInfo().runId, request });
  } catch (error) {
    throw asWorkflowFailure(error);
  }
}
