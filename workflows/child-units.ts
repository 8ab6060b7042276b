// What a driver drives: the pages of a map or of a section, or the sections of a large map. One shape for both, so one driver does both.
import type { ChildWorkflowHandle, Workflow } from '@temporalio/workflow';
import {
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  startChild,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import { pageWorkflowId, sectionWorkflowId } from '../contracts/ids';
import { START_BATCH_BYTES } from '../contracts/limits';
import { WORKFLOW } from '../contracts/names';
import type { Admission } from '../contracts/plan';
import type { Room } from '../contracts/results';
import type { mapPage } from './map-page';
import type { mapSection, UnitResult } from './map-section';

export interface UnitHandle extends Pick<ChildWorkflowHandle<Workflow>, 'signal'> {
  result(): Promise<UnitResult>;
}

export interface ChildUnits {
  /** Rows of each unit, in order. */
  rowCounts: readonly number[];
  /** Number of the first one. */
  first: number;
  workflowIdOf(unit: number): string;
  /** Starts a unit under its id; rejects when the id is taken or the scope is cancelled. */
  start(unit: number, room: Room): Promise<UnitHandle>;
  /** Pages of a unit that ended without a result. */
  pagesOf(unit: number): number[];
  /** JSON bytes that starting one unit adds to the commands of a workflow task, and how many one task may hold. */
  startBytes: number;
  batchBytes: number;
}

/** A range of pages: of a whole map, or of a section. */
export interface PageRange extends Pick<Admission, 'plan' | 'onRowError' | 'pageRows' | 'pagesPerSection'> {
  firstPage: number;
}

/** Only what driving needs: the rest of an admission may be large. */
export const rangeOf = ({ plan, onRowError, pageRows, pagesPerSection }: Admission): Omit<PageRange, 'firstPage'> => ({
  plan,
  onRowError,
  pageRows,
  ...(pagesPerSection === undefined ? {} : { pagesPerSection }),
});

/** Commands of old maps stay as they were recorded: those were never bounded. */
const batchBytesOf = ({ pagesPerSection }: PageRange): number =>
  pagesPerSection === undefined ? Number.POSITIVE_INFINITY : START_BATCH_BYTES;

const childOptions = (workflowId: string) => ({
  workflowId,
  workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
  parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
  cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
});

export function pageUnits(range: PageRange): ChildUnits {
  const { plan, pageRows, firstPage, onRowError } = range;
  const workflowIdOf = (page: number) => pageWorkflowId(plan.mapId, page);
  return {
    rowCounts: pageRows,
    first: firstPage,
    workflowIdOf,
    start: (page, room) =>
      startChild<typeof mapPage>(WORKFLOW.mapPage, {
        ...childOptions(workflowIdOf(page)),
        args: [{ plan, page, room, reportFirstFailure: onRowError === 'fail' }],
      }),
    pagesOf: (page) => [page],
    startBytes: JSON.stringify(plan).length,
    batchBytes: batchBytesOf(range),
  };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Sections of `size` pages each, the last one with the rest. */
function sectionUnits(range: PageRange, size: number): ChildUnits {
  const { plan, pageRows, firstPage } = range;
  const rowsOf = (section: number) => pageRows.slice(section * size, (section + 1) * size);
  const workflowIdOf = (section: number) => sectionWorkflowId(plan.mapId, section);
  const count = Math.ceil(pageRows.length / size);
  return {
    rowCounts: Array.from({ length: count }, (_, section) => sum(rowsOf(section))),
    first: 0,
    workflowIdOf,
    start: (section, room) =>
      startChild<typeof mapSection>(WORKFLOW.mapSection, {
        ...childOptions(workflowIdOf(section)),
        args: [{ ...range, section, firstPage: firstPage + section * size, pageRows: rowsOf(section), room }],
      }),
    pagesOf: (section) => rowsOf(section).map((_, page) => firstPage + section * size + page),
    startBytes: JSON.stringify(plan).length + 5 * size,
    batchBytes: batchBytesOf(range),
  };
}

/** Pages themselves, or sections of them when there are more than one section holds. */
export function unitsOf(range: PageRange): ChildUnits {
  const { pagesPerSection = Number.POSITIVE_INFINITY, pageRows } = range;
  return pageRows.length > pagesPerSection ? sectionUnits(range, pagesPerSection) : pageUnits(range);
}

/** Pages that were opened before the first one that was not: those of the first `opened` units. */
export const pagesOfFirst = (units: ChildUnits, opened: number): number =>
  opened === 0 ? 0 : (units.pagesOf(units.first + opened - 1).at(-1) as number) + 1;
