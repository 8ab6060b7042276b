// Finds a row of a map by what a person knows of it: its key, its line in a dataset without one, or its identity.
import { pageWorkflowId, rowWorkflowId } from '../../contracts/ids';
import { HISTORY_PAGE_EVENTS } from '../../contracts/limits';
import type { AdmittedRow } from '../../contracts/plan';
import { CommandError } from '../command-error';
import type { Server } from '../server';
import { firstValue, historyOf } from './history';

const IDENTITY = /^[kp]:[a-z0-9:]+$/;

/** Names of the key columns as the spec of the map has them; empty for rows that are told apart by position. */
async function keyOf(server: Server, mapId: string): Promise<string[]> {
  const [first] = (await historyOf(server, mapId, 1)) ?? [];
  const input = first?.workflowExecutionStartedEventAttributes?.input;
  const spec = await firstValue<{ dataset?: { key?: string | string[]; postgres?: { key?: string | string[] } } }>(
    server,
    input,
  );
  return [spec?.dataset?.key ?? spec?.dataset?.postgres?.key ?? []].flat();
}

/** Rows of a page as it has read them; null for a page that was not opened. */
async function rowsOf(server: Server, mapId: string, page: number): Promise<AdmittedRow[] | null> {
  const events = await historyOf(server, pageWorkflowId(mapId, page), HISTORY_PAGE_EVENTS);
  if (!events) return null;
  for (const { activityTaskCompletedEventAttributes: completed } of events) {
    if (completed) return (await firstValue<AdmittedRow[]>(server, completed.result)) ?? [];
  }
  return [];
}

/** Workflow id of the row. Throws MAP_NOT_FOUND when no opened page of the map has it. */
export async function findRow(server: Server, mapId: string, wanted: string): Promise<string> {
  if (IDENTITY.test(wanted)) return rowWorkflowId(mapId, wanted);
  const key = await keyOf(server, mapId);
  const isWanted = ({ input, line }: AdmittedRow) =>
    key.length === 0 ? String(line) === wanted : key.map((name) => String(input[name])).join(',') === wanted;
  for (let page = 0; ; page++) {
    const rows = await rowsOf(server, mapId, page);
    if (!rows) break;
    const row = rows.find(isWanted);
    if (row) return rowWorkflowId(mapId, row.identity);
  }
  const expected =
    key.length === 0
      ? 'expected the number of its line, or its identity p:…'
      : `expected its ${key.join(',')}, or its identity k:…`;
  throw new CommandError(
    'ROW_NOT_FOUND',
    `no page that ${mapId} has opened has a row ${JSON.stringify(wanted)}; ${expected}. The failures file names both.`,
  );
}
