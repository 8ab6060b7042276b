// The open rows of a page: which may start, which count as parked, and when the map should hear of it. Pure state, no SDK.
import { START_BATCH_BYTES, START_BATCH_ROWS } from '../contracts/limits';
import type { AdmittedRow } from '../contracts/plan';
import type { OpenRow, Room } from '../contracts/results';

/** How far the open rows have fallen below the room: 1 below half, 2 below a tenth. Each level is reported once. */
const levelOf = (open: number, room: number): number => (open * 10 < room ? 2 : open * 2 < room ? 1 : 0);

export class PageRows {
  private readonly opened = new Map<string, OpenRow>();
  private next = 0;
  private reportedLevel = 0;
  private owesReport = false;
  private reportedEnded = 0;
  private rows: readonly AdmittedRow[] | null = null;

  constructor(public room: Room) {}

  /** The rows of the page, once it has read them. Before that it has none to start and nothing to report. */
  load(rows: readonly AdmittedRow[]): void {
    this.rows = rows;
  }

  get parked(): number {
    let count = 0;
    for (const row of this.opened.values()) if (row.parked) count += 1;
    return count;
  }

  get open(): number {
    return this.opened.size - this.parked;
  }

  get notStarted(): number {
    return (this.rows?.length ?? 0) - this.next;
  }

  /** Rows that may start now. */
  get startable(): number {
    return Math.min(this.allowed - this.next, Math.max(0, this.room.rows - this.open));
  }

  /** Rows that the caps of its map let it start. */
  private get allowed(): number {
    return Math.max(this.next, Math.min(this.rows?.length ?? 0, this.room.mayStart ?? Number.POSITIVE_INFINITY));
  }

  private get ended(): number {
    return this.next - this.opened.size;
  }

  /** All that a cap let it start has ended or parked: what that did not cost may pay for more. */
  private get isKeptBack(): boolean {
    return this.notStarted > 0 && this.next === this.allowed && this.open === 0 && this.ended > this.reportedEnded;
  }

  has(identity: string): boolean {
    return this.opened.has(identity);
  }

  list(): OpenRow[] {
    return [...this.opened.values()];
  }

  /** Takes the next rows to start in one workflow task: within the room, 100 rows and 1 MiB. */
  takeBatch(nowMs: number, workflowIdOf: (row: AdmittedRow) => string, planBytes: number): AdmittedRow[] {
    const batch: AdmittedRow[] = [];
    let bytes = 0;
    if (this.next === 0) this.owesReport = true; // until then the map knows nothing of the page's open rows
    const most = Math.min(this.startable, START_BATCH_ROWS);
    while (batch.length < most) {
      const row = this.rows?.[this.next] as AdmittedRow;
      bytes += JSON.stringify(row).length + planBytes;
      if (batch.length > 0 && bytes > START_BATCH_BYTES) break;
      this.next += 1;
      batch.push(row);
      const { identity, ordinal } = row;
      this.opened.set(identity, {
        workflowId: workflowIdOf(row),
        identity,
        ordinal,
        startedAtMs: nowMs,
        parked: false,
      });
    }
    return batch;
  }

  /** Rows that will never start: the map was cancelled. */
  takeRest(): AdmittedRow[] {
    const rest = this.rows?.slice(this.next) ?? [];
    this.next += rest.length;
    return rest;
  }

  close(identity: string): void {
    this.opened.delete(identity);
  }

  /** When the oldest row that still counts as open will count as parked; null when none can. */
  nextParkingMs(parkedAfterMs: number): number | null {
    if (this.parked >= this.room.parkedRows) return null;
    for (const row of this.opened.values()) if (!row.parked) return row.startedAtMs + parkedAfterMs;
    return null;
  }

  /** Parks rows that have been open for long enough, oldest first, as many as the room allows. */
  park(nowMs: number, parkedAfterMs: number): void {
    let free = this.room.parkedRows - this.parked;
    for (const row of this.opened.values()) {
      if (free <= 0) break;
      if (row.parked || nowMs - row.startedAtMs < parkedAfterMs) continue;
      row.parked = true;
      this.owesReport = true;
      free -= 1;
    }
  }

  /** A lowered room is confirmed as soon as the page fits into it. */
  setRoom(room: Room): void {
    if (room.version <= this.room.version) return;
    this.room = room;
    this.owesReport = true;
  }

  /** True once for each thing that the map should hear; it then expects a report. Rows not read yet would look like rows that are done. */
  takeReportDue(): boolean {
    if (!this.rows) return false;
    const level = this.notStarted === 0 ? levelOf(this.open, this.room.rows) : 0;
    const isDue = level > this.reportedLevel || (this.owesReport && this.open <= this.room.rows) || this.isKeptBack;
    if (!isDue) return false;
    this.reportedLevel = Math.max(level, this.reportedLevel);
    this.owesReport = false;
    this.reportedEnded = this.ended;
    return true;
  }
}
