// What a person sees of a running map by queries alone: its pages, their rows, and what each call waits for.
import { QUERY } from '../../contracts/names';
import type { CallState, OpenRow, PageProgress, RowCounts, RowHolds } from '../../contracts/results';
import type { MapLab, StartedMap } from '../helpers/map-lab';

export const pageProgress = ({ client }: MapLab, workflowId: string): Promise<PageProgress> =>
  client.workflow.getHandle(workflowId).query<PageProgress, []>(QUERY.progress);

export const openRows = ({ client }: MapLab, pageId: string): Promise<OpenRow[]> =>
  client.workflow.getHandle(pageId).query<OpenRow[], []>(QUERY.holds);

export const rowHolds = ({ client }: MapLab, rowId: string): Promise<RowHolds> =>
  client.workflow.getHandle(rowId).query<RowHolds, []>(QUERY.holds);

/** Calls of every open row of a map. */
export async function openCalls(lab: MapLab, map: StartedMap): Promise<CallState[]> {
  const { openPages } = await map.progress();
  const rows = (await Promise.all(openPages.map(({ workflowId }) => openRows(lab, workflowId)))).flat();
  return (await Promise.all(rows.map(({ workflowId }) => rowHolds(lab, workflowId)))).flatMap(({ calls }) => calls);
}

/** Each status of a table with how often it stands there. */
export function statusesOf(table: readonly { [column: string]: unknown }[]): Partial<RowCounts> {
  const counts: { [status: string]: number } = {};
  for (const { _status } of table) counts[String(_status)] = (counts[String(_status)] ?? 0) + 1;
  return counts;
}

/** Columns of a spec that call one tool each with the row's domain, named after the tool's provider. */
export const callColumns = (...tools: string[]) =>
  tools.map((tool) => ({ name: tool.split('.')[0], tool, input: { domain: '{{ row.domain }}' } }));
