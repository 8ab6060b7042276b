// Drives the pages of a map: opens the next one as soon as there is room, never as a barrier, and keeps the last word of each.
import type { ChildWorkflowHandle } from '@temporalio/workflow';
import {
  CancellationScope,
  ChildWorkflowCancellationType,
  condition,
  isCancellation,
  ParentClosePolicy,
  startChild,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import type { PageWithoutResult } from '../contracts/activity-io';
import { addCountTable, addRowCounts, noCountTable, noRowCounts, sumRowCounts } from '../contracts/counting';
import { pageWorkflowId } from '../contracts/ids';
import { MAX_OPEN_PAGES } from '../contracts/limits';
import { WORKFLOW } from '../contracts/names';
import type { Admission, Budget, Caps } from '../contracts/plan';
import type {
  CapName,
  CountTable,
  MapBudget,
  MapProgress,
  PageReport,
  RowCounts,
  RowError,
} from '../contracts/results';
import { type Allowance, allowRows, budgetOf } from './budget';
import { isAlreadyStarted, readResult } from './earlier-result';
import type { mapPage, PageResult } from './map-page';
import { setPausedSignal, setRoomSignal } from './messages';
import { PauseState } from './pause-state';
import { dealRoom, type OpenPage, openedPage, type RoomLimits, withReport } from './room';

type PageHandle = ChildWorkflowHandle<typeof mapPage>;

export interface DriverTotals {
  open: number;
  parked: number;
  notStarted: number;
  rows: RowCounts;
  counts: CountTable;
}

export class PageDriver {
  /** Sums of the pages that have ended. */
  readonly settled = { rows: noRowCounts(), counts: noCountTable() };
  /** Pages that ended without a result: never started because of a cancel, or terminated by hand. */
  readonly withoutResult: PageWithoutResult[] = [];
  openedPages = 0;
  /** Why no further page is opened: the account of a call is given up. */
  givenUp: RowError | undefined;
  private readonly pauseState = new PauseState();
  private pages: OpenPage[] = [];
  private budget: Budget | null;
  private readonly handles = new Map<number, PageHandle>();
  private isDirty = true;
  private keptBackBy: CapName | null = null;

  constructor(
    private readonly admission: Admission,
    public limits: RoomLimits,
    private readonly onReport: (report: Pick<PageReport, 'rows'>) => void,
  ) {
    this.budget = admission.budget ?? null;
  }

  /** Runs every page to its end. A cancel of the surrounding scope stops admission and reaches the open pages natively. */
  async run(): Promise<void> {
    const scope = CancellationScope.current();
    const ends: Promise<void>[] = [];
    const isOver = () =>
      scope.consideredCancelled || this.givenUp || this.openedPages === this.admission.pageRows.length;
    while (!isOver()) {
      this.isDirty = false;
      const next = this.deal(this.pauseState.isPaused ? null : (this.admission.pageRows[this.openedPages] ?? null));
      if (next) ends.push(this.openPage(this.openedPages++, next));
      else {
        await condition(() => this.isDirty).catch((error: unknown) => {
          if (!isCancellation(error)) throw error;
        });
      }
    }
    while (this.pages.length > 0) {
      this.isDirty = false;
      if (!scope.consideredCancelled) this.deal(null);
      await CancellationScope.nonCancellable(() => condition(() => this.isDirty || this.pages.length === 0));
    }
    await CancellationScope.nonCancellable(() => Promise.all(ends));
  }

  report(report: PageReport): void {
    this.pages = this.pages.map((page) => (page.page === report.page ? withReport(page, report) : page));
    this.givenUp ??= report.givenUp;
    this.onReport(report);
    this.isDirty = true;
  }

  setLimits(limits: RoomLimits): void {
    this.limits = limits;
    this.isDirty = true;
  }

  /** False when the calls of the map cannot be counted beforehand. What pages were allowed already is not taken back. */
  setCaps(caps: Partial<Caps>): boolean {
    if (!this.budget) return false;
    this.budget = { ...this.budget, caps: { ...this.budget.caps, ...caps } };
    this.isDirty = true;
    return true;
  }

  /** The cap for which the map stands still: every row that it let start has ended. */
  get stoppedBy(): CapName | null {
    const { open, parked } = this.totals();
    return open + parked === 0 ? this.keptBackBy : null;
  }

  mapBudget(): MapBudget | null {
    const rows = this.admission.pageRows.reduce((sum, count) => sum + count, 0);
    return this.budget && budgetOf(this.budget, this.settled, this.pages, rows);
  }

  pause(isPaused: boolean): void {
    const order = this.pauseState.change(isPaused);
    if (!order) return;
    this.isDirty = true;
    for (const handle of this.handles.values()) this.tell(handle.signal(setPausedSignal, order));
  }

  openPages(): MapProgress['openPages'] {
    const { mapId } = this.admission.plan;
    return this.pages.map(({ page, report }) => ({ page, workflowId: pageWorkflowId(mapId, page), report }));
  }

  totals(): DriverTotals {
    const rows = addRowCounts(noRowCounts(), this.settled.rows);
    const counts = addCountTable(noCountTable(), this.settled.counts);
    let open = 0;
    let parked = 0;
    for (const { report } of this.pages) {
      if (!report) continue;
      addRowCounts(rows, report.rows);
      addCountTable(counts, report.counts);
      open += report.open;
      parked += report.parked;
    }
    const total = this.admission.pageRows.reduce((sum, count) => sum + count, 0);
    return { open, parked, notStarted: total - sumRowCounts(rows) - open - parked, rows, counts };
  }

  /** Deals the room out and signals what changed; returns the next page's room when there is one. */
  private deal(nextRowCount: number | null) {
    const allowed = this.allowRows();
    const mayOpen = this.pages.length < MAX_OPEN_PAGES && allowed.next > 0;
    const { pages, changed, next } = dealRoom(this.limits, this.pages, mayOpen ? nextRowCount : null);
    this.pages = pages;
    const told = new Set([...allowed.raised, ...changed.map(({ page }) => page)]);
    for (const { page, room } of pages) {
      const handle = this.handles.get(page);
      if (handle && told.has(page)) this.tell(handle.signal(setRoomSignal, room));
    }
    return next && allowed.next < (nextRowCount ?? 0) ? { ...next, mayStart: allowed.next } : next;
  }

  /** Lets pages start what the caps allow. */
  private allowRows(): Pick<Allowance, 'raised' | 'next'> {
    if (!this.budget) return { raised: [], next: Number.POSITIVE_INFINITY };
    const nextRowCount = this.admission.pageRows[this.openedPages] ?? null;
    const { pages, keptBackBy, ...allowed } = allowRows(this.budget, this.settled, this.pages, nextRowCount);
    this.pages = pages;
    this.keptBackBy = keptBackBy;
    return allowed;
  }

  private async openPage(page: number, room: OpenPage['room']): Promise<void> {
    this.pages.push(openedPage(page, this.admission.pageRows[page] as number, room));
    try {
      const result = await this.runPage(page, room);
      addRowCounts(this.settled.rows, result.rows);
      addCountTable(this.settled.counts, result.counts);
      this.givenUp ??= result.givenUp;
      this.onReport(result);
    } catch (error) {
      this.settleWithoutResult(page, isCancellation(error) ? 'not_run' : 'unknown');
    } finally {
      this.handles.delete(page);
      this.pages = this.pages.filter((open) => open.page !== page);
      this.isDirty = true;
    }
  }

  /** What the page last reported counts; of its other rows nothing more will be heard. */
  private settleWithoutResult(page: number, status: PageWithoutResult['status']): void {
    this.withoutResult.push({ page, status });
    const { report, rowCount } = this.pages.find((one) => one.page === page) as OpenPage;
    const { rows } = this.settled;
    if (report) {
      addRowCounts(rows, report.rows);
      addCountTable(this.settled.counts, report.counts);
    }
    rows[status] += rowCount - (report ? sumRowCounts(report.rows) : 0);
    this.onReport({ rows });
  }

  private async runPage(page: number, room: OpenPage['room']): Promise<PageResult> {
    const { plan, onRowError } = this.admission;
    const workflowId = pageWorkflowId(plan.mapId, page);
    let handle: PageHandle;
    try {
      handle = await startChild<typeof mapPage>(WORKFLOW.mapPage, {
        workflowId,
        args: [{ plan, page, room, reportFirstFailure: onRowError === 'fail' }],
        workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
        parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
        cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      });
    } catch (error) {
      if (!isAlreadyStarted(error)) throw error;
      return CancellationScope.nonCancellable(() => readResult<PageResult>(plan, workflowId));
    }
    this.handles.set(page, handle);
    this.catchUp(page, handle, room.version);
    return handle.result();
  }

  /** What was said while the page was being started. */
  private catchUp(page: number, handle: PageHandle, knownVersion: number): void {
    const open = this.pages.find((one) => one.page === page);
    if (open && open.room.version > knownVersion) this.tell(handle.signal(setRoomSignal, open.room));
    if (this.pauseState.isPaused) this.tell(handle.signal(setPausedSignal, this.pauseState.order));
  }

  /** A page that has just ended needs no signal. */
  private tell(signalled: Promise<void>): void {
    signalled.catch(() => undefined);
  }
}
