// A section of a large map: drives a range of its pages as a small map drives all of them, so that no history grows with the dataset.
import { CancellationScope, getExternalWorkflowHandle, setHandler, workflowInfo } from '@temporalio/workflow';
import type { PageWithoutResult } from '../contracts/activity-io';
import type { CountTable, PageReport, Room, RowCounts, RowError, SectionProgress } from '../contracts/results';
import { type PageRange, pageUnits } from './child-units';
import { pageReportSignal, sectionProgressQuery, setPausedSignal, setRoomSignal } from './messages';
import { PageDriver } from './page-driver';
import { PauseState } from './pause-state';
import { SectionReports } from './section-reports';

/** `pageRows`: of the pages of this section alone, the first of which is `firstPage`. */
export interface SectionInput extends PageRange {
  section: number;
  room: Room;
}

/** What a page or a section gives its parent when all its rows have ended. */
export interface UnitResult {
  rows: RowCounts;
  counts: CountTable;
  givenUp?: RowError;
  /** Of a section: its pages that have no result, those that were never opened included. */
  withoutResult?: PageWithoutResult[];
}

const limitsOf = ({ rows, parkedRows }: Room) => ({ rows, parkedRows });

/**
 * A part of a map that has too many pages for one parent: a stretch of pages, each a child workflow, in the room that the map
 * gives it. Completes as a page does, with the counts of all its pages.
 */
export async function mapSection(input: SectionInput): Promise<UnitResult> {
  const { section, room, pageRows, firstPage, onRowError } = input;
  const { workflowId, parent } = workflowInfo();
  const pause = new PauseState();
  const rowCount = pageRows.reduce((sum, count) => sum + count, 0);
  const reports = new SectionReports(room, rowCount, onRowError === 'fail');
  const driver = new PageDriver(pageUnits(input), input.plan, limitsOf(room), tellIfDue);
  driver.setMayStart(room.mayStart);

  function report(): PageReport {
    const { givenUp } = driver;
    const totals = driver.totals();
    const roomVersion = reports.versionFor(driver.held(), totals.parked);
    return { page: section, roomVersion, ...totals, ...(givenUp ? { givenUp } : {}) };
  }
  function tellIfDue(): void {
    const now = report();
    if (!parent || !reports.isDue(now, driver.isKeptBack)) return;
    const map = getExternalWorkflowHandle(parent.workflowId);
    const told = CancellationScope.nonCancellable(() => map.signal(pageReportSignal, now));
    told.catch(() => undefined); // a map that has ended needs no report
  }

  setHandler(pageReportSignal, (one) => driver.report(one));
  setHandler(setRoomSignal, (next) => {
    if (!reports.setRoom(next)) return;
    driver.setLimits(limitsOf(next));
    driver.setMayStart(next.mayStart);
    tellIfDue();
  });
  setHandler(setPausedSignal, (order) => {
    if (pause.accept(order)) driver.pause(order.paused);
  });
  setHandler(
    sectionProgressQuery,
    (): SectionProgress => ({
      ...report(),
      workflowId,
      room: reports.room,
      paused: pause.isPaused,
      asOfMs: Date.now(),
      settled: driver.settled,
      openPages: driver.openUnits(),
    }),
  );

  await driver.run();
  const { settled, withoutResult, openedUnits, givenUp } = driver;
  for (let at = openedUnits; at < pageRows.length; at++) {
    withoutResult.push({ page: firstPage + at, status: 'not_run' });
    settled.rows.not_run += pageRows[at] as number;
  }
  return { ...settled, withoutResult, ...(givenUp ? { givenUp } : {}) };
}
