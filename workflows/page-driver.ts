// Drives the units of a map or of a section: opens the next one as soon as there is room, never as a barrier, and keeps the last word of each.
import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type { PageWithoutResult } from '../contracts/activity-io';
import { addCountTable, addRowCounts, noCountTable, noRowCounts, sumRowCounts } from '../contracts/counting';
import { MAX_OPEN_PAGES } from '../contracts/limits';
import type { Budget, Caps } from '../contracts/map-limits';
import type { RowPlan } from '../contracts/plan';
import type { CapName, MapBudget, MapProgress, PageReport, RowError } from '../contracts/results';
import { allowMore, allowRows, budgetOf } from './budget';
import type { ChildUnits, UnitHandle } from './child-units';
import { type DriverTotals, totalsOf } from './driver-totals';
import { isAlreadyStarted, readResult } from './earlier-result';
import type { UnitResult } from './map-section';
import { setPausedSignal, setRoomSignal } from './messages';
import { PauseState } from './pause-state';
import { dealRoom, heldByAll, type OpenPage, openedPage, type RoomLimits, withReport } from './room';

export class PageDriver {
  /** Sums of the units that have ended. */
  readonly settled = { rows: noRowCounts(), counts: noCountTable() };
  /** Pages that ended without a result: never started because of a cancel, or terminated by hand. */
  readonly withoutResult: PageWithoutResult[] = [];
  openedUnits = 0;
  /** Why no further unit is opened: the account of a call is given up. */
  givenUp: RowError | undefined;
  private readonly pauseState = new PauseState();
  private open: OpenPage[] = [];
  private readonly handles = new Map<number, UnitHandle>();
  private isDirty = true;
  private starting = 0;
  /** Rows that the parent lets the units start in all; absent = no cap of the parent. */
  private mayStart: number | undefined;
  private isKept = false;
  private keptBackBy: CapName | null = null;

  constructor(
    private readonly units: ChildUnits,
    private readonly plan: RowPlan,
    public limits: RoomLimits,
    private readonly onReport: (report: Pick<PageReport, 'rows'>) => void,
    private budget: Budget | null = null,
  ) {}

  /** Runs every unit to its end. A cancel of the surrounding scope stops admission and reaches the open units natively. */
  async run(): Promise<void> {
    const scope = CancellationScope.current();
    const ends: Promise<void>[] = [];
    const { batchBytes, startBytes } = this.units;
    let bytes = 0;
    const isOver = () => scope.consideredCancelled || this.givenUp || this.nextRowCount === null;
    const until = (isReady: () => boolean) =>
      condition(isReady).catch((error: unknown) => {
        if (!isCancellation(error)) throw error;
      });
    while (!isOver()) {
      this.isDirty = false;
      const next = this.deal(this.pauseState.isPaused ? null : this.nextRowCount);
      if (!next) await until(() => this.isDirty);
      else {
        // Commands of one workflow task that exceed what a message holds would fail it for ever.
        if (bytes > 0 && bytes + startBytes > batchBytes) {
          await until(() => this.starting === 0);
          bytes = 0;
          continue;
        }
        bytes += startBytes;
        ends.push(this.openUnit(this.units.first + this.openedUnits++, next));
      }
    }
    while (this.open.length > 0) {
      this.isDirty = false;
      if (!scope.consideredCancelled) this.deal(null);
      await CancellationScope.nonCancellable(() => condition(() => this.isDirty || this.open.length === 0));
    }
    await CancellationScope.nonCancellable(() => Promise.all(ends));
  }

  report(report: PageReport): void {
    this.open = this.open.map((unit) => (unit.page === report.page ? withReport(unit, report) : unit));
    this.givenUp ??= report.givenUp;
    this.onReport(report);
    this.isDirty = true;
  }

  setLimits(limits: RoomLimits): void {
    this.limits = limits;
    this.isDirty = true;
  }

  /** What units were allowed already is not taken back. */
  setMayStart(rows: number | undefined): void {
    this.mayStart = rows;
    this.isDirty = true;
  }

  /** False when the calls of the map cannot be counted beforehand. What units were allowed already is not taken back. */
  setCaps(caps: Partial<Caps>): boolean {
    if (!this.budget) return false;
    this.budget = { ...this.budget, caps: { ...this.budget.caps, ...caps } };
    this.isDirty = true;
    return true;
  }

  /** The cap for which the map stands still: every row that it let start has ended. A unit that has told nothing yet may run some. */
  get stoppedBy(): CapName | null {
    const { open, parked } = this.totals();
    return open + parked === 0 && this.open.every(({ report }) => report) ? this.keptBackBy : null;
  }

  /** A cap keeps all rows back that are not parked: what the others did not cost may pay for more. */
  get isKeptBack(): boolean {
    return this.isKept && this.totals().open === 0;
  }

  mapBudget(): MapBudget | null {
    return this.budget && budgetOf(this.budget, this.settled, this.open, this.rowCount);
  }

  pause(isPaused: boolean): void {
    const order = this.pauseState.change(isPaused);
    if (!order) return;
    this.isDirty = true;
    for (const handle of this.handles.values()) this.tell(handle.signal(setPausedSignal, order));
  }

  openUnits(): MapProgress['openPages'] {
    return this.open.map(({ page, report }) => ({ page, workflowId: this.units.workflowIdOf(page), report }));
  }

  totals(): DriverTotals {
    return totalsOf(this.settled, this.open, this.rowCount);
  }

  /** The most that the open units may come to have. */
  held(): RoomLimits {
    return heldByAll(this.open);
  }

  private get rowCount(): number {
    return this.units.rowCounts.reduce((sum, count) => sum + count, 0);
  }

  /** Rows of the next unit, null when none is left. */
  private get nextRowCount(): number | null {
    return this.units.rowCounts[this.openedUnits] ?? null;
  }

  private rowsOf(unit: number): number {
    return this.units.rowCounts[unit - this.units.first] as number;
  }

  /** Deals the room out and signals what changed; returns the next unit's room when there is one. */
  private deal(nextRowCount: number | null) {
    const allowed = this.allow();
    const mayOpen = this.open.length < MAX_OPEN_PAGES && allowed.next > 0;
    const { pages, changed, next } = dealRoom(this.limits, this.open, mayOpen ? nextRowCount : null);
    this.open = pages;
    const told = new Set([...allowed.raised, ...changed.map(({ page }) => page)]);
    for (const { page, room } of pages) {
      const handle = this.handles.get(page);
      if (handle && told.has(page)) this.tell(handle.signal(setRoomSignal, room));
    }
    return next && allowed.next < (nextRowCount ?? 0) ? { ...next, mayStart: allowed.next } : next;
  }

  /** Lets units start what the caps, or the parent, allow. */
  private allow(): { raised: number[]; next: number } {
    if (this.budget) {
      const { pages, keptBackBy, ...allowed } = allowRows(this.budget, this.settled, this.open, this.nextRowCount);
      this.open = pages;
      this.keptBackBy = keptBackBy;
      return allowed;
    }
    if (this.mayStart === undefined) return { raised: [], next: Number.POSITIVE_INFINITY };
    const ended = sumRowCounts(this.settled.rows);
    const { pages, isKeptBack, ...allowed } = allowMore(this.mayStart - ended, this.open, this.nextRowCount, true);
    this.open = pages;
    this.isKept = isKeptBack;
    return allowed;
  }

  private async openUnit(unit: number, room: OpenPage['room']): Promise<void> {
    this.open.push(openedPage(unit, this.rowsOf(unit), room));
    try {
      const result = await this.runUnit(unit, room);
      addRowCounts(this.settled.rows, result.rows);
      addCountTable(this.settled.counts, result.counts);
      this.withoutResult.push(...(result.withoutResult ?? []));
      this.givenUp ??= result.givenUp;
      this.close(unit);
      this.onReport(result);
    } catch (error) {
      this.settleWithoutResult(unit, isCancellation(error) ? 'not_run' : 'unknown');
    }
  }

  private close(unit: number): void {
    this.handles.delete(unit);
    this.open = this.open.filter((one) => one.page !== unit);
    this.isDirty = true;
  }

  /** What the unit last reported counts; of its other rows nothing more will be heard. */
  private settleWithoutResult(unit: number, status: PageWithoutResult['status']): void {
    for (const page of this.units.pagesOf(unit)) this.withoutResult.push({ page, status });
    const { report, rowCount } = this.open.find((one) => one.page === unit) as OpenPage;
    const { rows } = this.settled;
    if (report) {
      addRowCounts(rows, report.rows);
      addCountTable(this.settled.counts, report.counts);
    }
    rows[status] += rowCount - (report ? sumRowCounts(report.rows) : 0);
    this.close(unit);
    this.onReport({ rows });
  }

  private async runUnit(unit: number, room: OpenPage['room']): Promise<UnitResult> {
    let handle: UnitHandle;
    this.starting += 1;
    try {
      handle = await this.units.start(unit, room);
    } catch (error) {
      if (!isAlreadyStarted(error)) throw error;
      const workflowId = this.units.workflowIdOf(unit);
      return await CancellationScope.nonCancellable(() => readResult<UnitResult>(this.plan, workflowId));
    } finally {
      this.starting -= 1;
    }
    this.handles.set(unit, handle);
    this.catchUp(unit, handle, room.version);
    return handle.result();
  }

  /** What was said while the unit was being started. */
  private catchUp(unit: number, handle: UnitHandle, knownVersion: number): void {
    const open = this.open.find((one) => one.page === unit);
    if (open && open.room.version > knownVersion) this.tell(handle.signal(setRoomSignal, open.room));
    if (this.pauseState.isPaused) this.tell(handle.signal(setPausedSignal, this.pauseState.order));
  }

  /** A unit that has just ended needs no signal. */
  private tell(signalled: Promise<void>): void {
    signalled.catch(() => undefined);
  }
}
