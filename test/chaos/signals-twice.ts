// Delivers every signal of a map, of its open pages, of their rows and of the shared calls that they wait for a second time, as a network that repeats itself would.
import { defaultPayloadConverter } from '@temporalio/common';
import { QUERY } from '../../contracts/names';
import type { MapProgress } from '../../contracts/results';
import { openRows, rowHolds } from '../controls/look';
import type { MapLab } from '../helpers/map-lab';
import { eventsOf } from '../helpers/row-history';

async function deliverAgain({ client }: MapLab, workflowId: string): Promise<number> {
  const signals = (await eventsOf(client, workflowId)).flatMap(
    ({ workflowExecutionSignaledEventAttributes: signal }) => signal ?? [],
  );
  const handle = client.workflow.getHandle(workflowId);
  for (const { signalName, input } of signals) {
    const payload = (input?.payloads ?? []).map((one) => defaultPayloadConverter.fromPayload(one as never));
    await handle.signal(signalName ?? '', ...payload);
  }
  return signals.length;
}

/** How many were delivered. Workflows that end meanwhile take none. `gates`: ids of gates that hear theirs again too. */
export async function signalsTwice(lab: MapLab, mapId: string, gates: readonly string[] = []): Promise<number> {
  const { openPages } = await lab.client.workflow.getHandle(mapId).query<MapProgress, []>(QUERY.progress);
  const pages = openPages.map(({ workflowId }) => workflowId);
  const rows = (await Promise.all(pages.map((page) => openRows(lab, page)))).flat();
  const holds = await Promise.all(rows.map(({ workflowId }) => rowHolds(lab, workflowId).catch(() => ({ calls: [] }))));
  const shared = holds.flatMap(({ calls }) => calls.flatMap(({ sharedCall }) => sharedCall ?? []));
  const ids = [mapId, ...gates, ...pages, ...rows.map(({ workflowId }) => workflowId), ...shared];
  const counts = await Promise.all([...new Set(ids)].map((id) => deliverAgain(lab, id).catch(() => 0)));
  return counts.reduce((sum, count) => sum + count, 0);
}
