// One page: starts its rows within its room, parks the slow ones, flushes results, and ends with exact sums.

import type { ChildWorkflowHandle } from '@temporalio/workflow';
import {
  CancellationScope,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { addCountTable, countOutcome, noCountTable, noRowCounts } from '../contracts/counting';
import { rowWorkflowId } from '../contracts/ids';
import { PARK_EVERY_MS } from '../contracts/limits';
import type { AdmittedRow, RowPlan } from '../contracts/plan';
import type { CountTable, PageReport, Room, RowCounts, RowError, RowResult } from '../contracts/results';
import { givenUpAccount, notRun, notRunAfter } from '../contracts/row-without-result';
import { mapActivities } from './activity-proxies';
import type { mapRow } from './map-row';
import { pageHoldsQuery, pageProgressQuery, pageReportSignal, setPausedSignal, setRoomSignal } from './messages';
import { PageRows } from './page-rows';
import { PauseState } from './pause-state';
import { createResultWriter } from './result-writer';
import { startRow } from './row-child';

export interface PageInput {
  plan: RowPlan;
  page: number;
  room: Room;
  /** The map ends with the first row that fails, so the page tells it at once. */
  reportFirstFailure: boolean;
}

export interface PageResult {
  page: number;
  rows: RowCounts;
  counts: CountTable;
  givenUp?: RowError;
}

/**
 * The rows of one page, each a child workflow. Opens as many as its parent's room allows, writes the outcomes of ended rows, and
 * completes with the counts of all of them. A cancel ends its rows; the page itself completes with what became of them.
 */
export async function mapPage({ plan, page, room, reportFirstFailure }: PageInput): Promise<PageResult> {
  const { workflowId, parent } = workflowInfo();
  const { readPage } = mapActivities(plan.timing.heartbeatTimeoutMs);
  const root = CancellationScope.current();
  const rows = noRowCounts();
  const counts = noCountTable();
  const handles = new Map<string, ChildWorkflowHandle<typeof mapRow>>();
  const pageRows = new PageRows(room);
  const pause = new PauseState();
  let isEnded = false;
  let givenUp: RowError | undefined;

  const report = (): PageReport => ({
    page,
    roomVersion: pageRows.room.version,
    open: pageRows.open,
    parked: pageRows.parked,
    notStarted: pageRows.notStarted,
    rows,
    counts,
    ...(givenUp ? { givenUp } : {}),
  });
  function tellMap(): void {
    if (!parent || isEnded) return;
    const told = getExternalWorkflowHandle(parent.workflowId).signal(pageReportSignal, report());
    told.catch(() => undefined); // a map that has ended needs no report
  }
  const tellIfDue = () => {
    if (pageRows.takeReportDue()) tellMap();
  };
  function tellRow(handle: ChildWorkflowHandle<typeof mapRow>): void {
    handle.signal(setPausedSignal, pause.order).catch(() => undefined); // a row that has ended needs none
  }

  setHandler(setRoomSignal, (next) => {
    pageRows.setRoom(next);
    tellIfDue();
  });
  setHandler(setPausedSignal, (order) => {
    if (pause.accept(order)) for (const handle of handles.values()) tellRow(handle);
  });
  setHandler(pageProgressQuery, () => ({
    ...report(),
    workflowId,
    room: pageRows.room,
    paused: pause.isPaused,
    asOfMs: Date.now(),
  }));
  setHandler(pageHoldsQuery, () => pageRows.list());

  pageRows.load(await CancellationScope.nonCancellable(() => readPage({ mapId: plan.mapId, page })));
  tellIfDue();
  const writer = createResultWriter(plan, page);
  const planBytes = JSON.stringify(plan).length;

  function settle(result: RowResult): void {
    pageRows.close(result.identity);
    handles.delete(result.identity);
    rows[result.status] += 1;
    addCountTable(counts, 'stored' in result ? result.counts : countOutcome(result));
    writer.add(result);
    if (reportFirstFailure && (result.status === 'failed' || result.status === 'unknown')) tellMap();
    if (plan.stopsWhenExhausted && !givenUp) {
      givenUp = givenUpAccount(result);
      if (givenUp) tellMap();
    }
    tellIfDue();
  }

  async function openRow(row: AdmittedRow): Promise<void> {
    const child = startRow(plan, row);
    settling.push(child.result.then(settle));
    const handle = await child.started;
    if (!handle || !pageRows.has(row.identity)) return;
    handles.set(row.identity, handle);
    if (pause.isPaused) tellRow(handle);
  }

  const settling: Promise<void>[] = [];
  const workflowIdOf = (row: AdmittedRow) => rowWorkflowId(plan.mapId, row.identity);
  async function startRows(): Promise<void> {
    while (pageRows.notStarted > 0) {
      await condition(() => givenUp !== undefined || (pageRows.startable > 0 && !pause.isPaused));
      if (givenUp) return;
      await Promise.all(pageRows.takeBatch(Date.now(), workflowIdOf, planBytes).map(openRow));
      tellIfDue();
    }
  }
  async function parkRows(): Promise<void> {
    const { parkedAfterMs } = plan.timing;
    while (!isEnded) {
      await condition(() => pageRows.nextParkingMs(parkedAfterMs) !== null || isEnded);
      const dueMs = pageRows.nextParkingMs(parkedAfterMs);
      if (isEnded || dueMs === null) continue;
      await sleep(Math.max(dueMs - Date.now(), Math.min(PARK_EVERY_MS, parkedAfterMs)), { summary: 'park slow rows' });
      pageRows.park(Date.now(), parkedAfterMs);
      tellIfDue();
    }
  }

  const parking = new CancellationScope();
  parking.run(parkRows).catch(() => undefined); // ends by cancel
  await startRows().catch((error: unknown) => {
    if (!isCancellation(error)) throw error;
  });
  if (root.consideredCancelled || givenUp) {
    for (const row of pageRows.takeRest()) {
      rows.not_run += 1;
      writer.add(givenUp ? notRunAfter(row, givenUp) : notRun(row));
    }
  }
  await CancellationScope.nonCancellable(() => Promise.all(settling));
  isEnded = true;
  parking.cancel();
  writer.end();
  await writer.finished;
  return { page, rows, counts, ...(givenUp ? { givenUp } : {}) };
}
