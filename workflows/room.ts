// Room: how a map deals open rows and parked rows out to its pages. Pure; the sums never exceed what the map may have.
import type { PageReport, Room } from '../contracts/results';

export interface RoomLimits {
  rows: number;
  parkedRows: number;
}

/** One open page as the map knows it. */
export interface OpenPage {
  page: number;
  /** Rows of the page; as long as nothing was reported, all of them may want to be open. */
  rowCount: number;
  room: Room;
  /** Rows that may be open in it although its room is smaller: what it had before its room was lowered. */
  mayHaveOpen: number;
  report: PageReport | null;
}

export interface RoomPlan {
  /** New rooms to signal, by page. */
  changed: OpenPage[];
  /** Room for the next page, or null when there is none yet. */
  next: Room | null;
}

const held = (page: OpenPage): number => Math.max(page.room.rows, page.mayHaveOpen);

/** The most rows that the page can still have open, and parked. */
const wants = ({ report, rowCount }: OpenPage): { rows: number; parkedRows: number } =>
  report
    ? { rows: report.open + report.notStarted, parkedRows: report.open + report.notStarted + report.parked }
    : { rows: rowCount, parkedRows: rowCount };

/** Takes in a report. One that was written under an older room tells nothing about how much the page may have open now. */
export function withReport(page: OpenPage, report: PageReport): OpenPage {
  const isCurrent = report.roomVersion === page.room.version;
  return { ...page, report, mayHaveOpen: isCurrent ? report.open : Math.max(page.mayHaveOpen, report.open) };
}

/** A page whose room changes. What it may have open meanwhile stays counted until it reports under the new one. */
const withRoom = (page: OpenPage, rows: number, parkedRows: number): OpenPage => ({
  ...page,
  room: { version: page.room.version + 1, rows, parkedRows },
  mayHaveOpen: held(page),
});

/** Room that a page no longer needs is taken back without telling it: it cannot use it any more. */
function trimmed(page: OpenPage): OpenPage {
  const want = wants(page);
  const rows = Math.min(page.room.rows, want.rows);
  const parkedRows = Math.min(page.room.parkedRows, want.parkedRows);
  return { ...page, room: { ...page.room, rows, parkedRows } };
}

/**
 * Deals the room out: earlier pages first, then the next one. Lowers rooms from the last page on when the limits shrank.
 * `nextRowCount`: rows of the next page, or null when no page may be opened.
 */
export function dealRoom(
  limits: RoomLimits,
  open: OpenPage[],
  nextRowCount: number | null,
): { pages: OpenPage[] } & RoomPlan {
  const pages = open.map(trimmed);
  const changed = new Set<number>();
  const change = (index: number, rows: number, parkedRows: number) => {
    pages[index] = withRoom(pages[index] as OpenPage, rows, parkedRows);
    changed.add(index);
  };
  let overRows = pages.reduce((sum, page) => sum + page.room.rows, 0) - limits.rows;
  let overParked = pages.reduce((sum, page) => sum + page.room.parkedRows, 0) - limits.parkedRows;
  for (let index = pages.length - 1; index >= 0 && (overRows > 0 || overParked > 0); index--) {
    const { room } = pages[index] as OpenPage;
    const rows = room.rows - Math.min(room.rows, Math.max(0, overRows));
    const parkedRows = room.parkedRows - Math.min(room.parkedRows, Math.max(0, overParked));
    overRows -= room.rows - rows;
    overParked -= room.parkedRows - parkedRows;
    if (rows !== room.rows || parkedRows !== room.parkedRows) change(index, rows, parkedRows);
  }
  let freeRows = limits.rows - pages.reduce((sum, page) => sum + held(page), 0);
  let freeParked =
    limits.parkedRows - pages.reduce((sum, page) => sum + Math.max(page.room.parkedRows, page.report?.parked ?? 0), 0);
  pages.forEach((page, index) => {
    const want = wants(page);
    const rows = Math.min(want.rows, page.room.rows + Math.max(0, freeRows));
    const parkedRows = Math.min(want.parkedRows, page.room.parkedRows + Math.max(0, freeParked));
    if (rows <= page.room.rows && parkedRows <= page.room.parkedRows) return;
    freeRows -= Math.max(0, rows - held(page));
    freeParked -= parkedRows - page.room.parkedRows;
    change(index, Math.max(rows, page.room.rows), parkedRows);
  });
  const next =
    nextRowCount !== null && freeRows > 0
      ? {
          version: 0,
          rows: Math.min(freeRows, nextRowCount),
          parkedRows: Math.min(Math.max(0, freeParked), nextRowCount),
        }
      : null;
  return { pages, changed: [...changed].sort((a, b) => a - b).map((index) => pages[index] as OpenPage), next };
}
