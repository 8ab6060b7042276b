// Reads what history has of one row: its events, those of the shared calls that it asked for, and what people said of its unknown calls.
import { WorkflowFailedError } from '@temporalio/client';
import { settledCallId } from '../../contracts/ids';
import { QUERY_CONCURRENCY, SHOWN_CALLS } from '../../contracts/limits';
import type { Settlement } from '../../contracts/settlement';
import { CommandError } from '../command-error';
import { findWorkflow } from '../find-map';
import { inTurns } from '../in-turns';
import { readWithinTime, type Server } from '../server';
import { historyOf } from './history';
import { type RowEvents, rowEvents, type SharedEvents, sharedEvents } from './row-events';
import { type RowStory, rowStory } from './row-story';

export interface RowReading {
  events: RowEvents;
  /** The shared calls that the row asked for, by their ids; null where the history is gone. */
  shared: ReadonlyMap<string, SharedEvents | null>;
}

/** Throws ROW_NOT_FOUND for a row that was never started, or whose history the server keeps no more. */
export async function readRow(server: Server, rowId: string): Promise<RowReading> {
  const history = await historyOf(server, rowId);
  const events = history && (await rowEvents(server, history));
  if (events) {
    const ids = [...events.joins.values()].flatMap(({ callId }) => callId ?? []);
    const shared = await inTurns([...new Set(ids)].slice(0, SHOWN_CALLS), QUERY_CONCURRENCY, async (callId) => {
      const ofCall = await historyOf(server, callId);
      return [callId, ofCall && (await sharedEvents(server, callId, ofCall))] as const;
    });
    return { events, shared: new Map(shared) };
  }
  throw new CommandError(
    'ROW_NOT_FOUND',
    `${rowId} has no history: the row was not started, or the namespace "${server.namespace}" keeps it no longer`,
  );
}

/** What a person said of a billing request; `pending` while no worker has checked it, null when nobody has settled it. */
export async function readSettlement(server: Server, billingRequestId: string): Promise<Settlement | 'pending' | null> {
  const workflowId = settledCallId(billingRequestId);
  const found = await findWorkflow(server, workflowId);
  if (found === null) return null;
  if (found.status.name === 'RUNNING') return 'pending';
  try {
    const handle = server.client.workflow.getHandle(workflowId, found.runId);
    return (await readWithinTime(server, () => handle.result())) as Settlement;
  } catch (error) {
    if (error instanceof WorkflowFailedError) return null; // refused, or ended by hand: it may be settled again
    throw error;
  }
}

/** The story of a row with what was said of its unknown calls. `column`: only its calls. */
export async function storyOf(
  server: Server,
  mapId: string,
  { events, shared }: RowReading,
  column?: string,
): Promise<RowStory> {
  const story = rowStory(mapId, events, shared, column);
  const calls = await inTurns(story.calls, QUERY_CONCURRENCY, async (call) => {
    if (call.state !== 'unknown' || !call.openBilling) return call;
    const settlement = await readSettlement(server, call.openBilling.billingRequestId);
    if (settlement === null || settlement === 'pending') return { ...call, settlement };
    const { end: _, ...said } = settlement;
    return { ...call, settlement: said };
  });
  return { ...story, calls };
}
