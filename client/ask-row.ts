// What the calls of one row wait for, with the word of the shared calls that they have joined.
import type { CallState, RowHolds } from '../contracts/results';
import type { MapQueries } from './map-queries';

/** A shared call knows what it waits for; the row only knows since when it waits for it. */
async function withSharedState(queries: MapQueries, call: CallState): Promise<CallState> {
  if (call.sharedCall === undefined || call.state === 'paused') return call;
  const [shared] = (await queries.row(call.sharedCall))?.calls ?? [];
  return shared ? { ...shared, column: call.column, sharedCall: call.sharedCall } : call;
}

/** Null when the row gives no answer; a shared call that gives none leaves the row's own word. */
export async function askRow(queries: MapQueries, workflowId: string): Promise<RowHolds | null> {
  const holds = await queries.row(workflowId);
  if (!holds?.calls.some(({ sharedCall }) => sharedCall !== undefined)) return holds;
  const calls = await Promise.all(holds.calls.map((call) => withSharedState(queries, call)));
  return { ...holds, calls };
}
