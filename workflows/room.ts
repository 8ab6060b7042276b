// Room: how a map deals open rows and parked rows out to its pages. Pure; the sums never exceed what the map may have.
import type { PageReport, Room } from '../contracts/results';

export interface RoomLimits {
  rows: number;
  parkedRows: number;
}

/** One open page, or section, as its parent knows it. */
export interface OpenPage {
  page: number;
  /** Rows of the page; as long as nothing was reported, all of them may want to be open. */
  rowCount: number;
  room: Room;
  /** What it may have although its room is smaller: what it had before its room was lowered. */
  mayHave: RoomLimits;
  report: PageReport | null;
}

/** A page as it is opened, before it has told anything. */
export const openedPage = (page: number, rowCount: number, room: Room): OpenPage => ({
  page,
  rowCount,
  room,
  mayHave: { rows: 0, parkedRows: 0 },
  report: null,
});

export interface RoomPlan {
  /** New rooms to signal, by page. */
  changed: OpenPage[];
  /** Room for the next page, or null when there is none yet. */
  next: Room | null;
}

/** What a page takes of the limits until it tells that it has less. */
const held = ({ room, mayHave }: OpenPage): RoomLimits => ({
  rows: Math.max(room.rows, mayHave.rows),
  parkedRows: Math.max(room.parkedRows, mayHave.parkedRows),
});

/** What all of them take together. */
export const heldByAll = (open: readonly OpenPage[]): RoomLimits => ({
  rows: open.reduce((sum, page) => sum + held(page).rows, 0),
  parkedRows: open.reduce((sum, page) => sum + held(page).parkedRows, 0),
});

/** The most rows that the page can still have open, and parked. */
const wants = ({ report, rowCount }: OpenPage): { rows: number; parkedRows: number } =>
  report
    ? { rows: report.open + report.notStarted, parkedRows: report.open + report.notStarted + report.parked }
    : { rows: rowCount, parkedRows: rowCount };

/** Rows that may still become open, and parked, only ever fall: more than before is an older word that came late. */
function isOvertaken(report: PageReport, known: PageReport | null): boolean {
  if (!known) return false;
  const rest = report.open + report.notStarted;
  const knownRest = known.open + known.notStarted;
  return rest > knownRest || rest + report.parked > knownRest + known.parked;
}

/** Takes in a report. One that was written under an older room tells nothing about how much the page may have now. */
export function withReport(page: OpenPage, report: PageReport): OpenPage {
  if (isOvertaken(report, page.report)) return page;
  const isCurrent = report.roomVersion === page.room.version;
  return { ...page, report, mayHave: isCurrent ? { rows: report.open, parkedRows: report.parked } : page.mayHave };
}

/** A page whose room changes. What it may have meanwhile stays counted until it reports under the new one. */
const withRoom = (page: OpenPage, rows: number, parkedRows: number): OpenPage => ({
  ...page,
  room: { ...page.room, version: page.room.version + 1, rows, parkedRows },
  mayHave: held(page),
});

/** A page that may start more rows than before. */
export const withMayStart = (page: OpenPage, mayStart: number): OpenPage => {
  const { rows, parkedRows } = page.room;
  const told = withRoom(page, rows, parkedRows);
  return { ...told, room: { ...told.room, mayStart } };
};

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
  let freeRows = limits.rows - heldByAll(pages).rows;
  let freeParked = limits.parkedRows - heldByAll(pages).parkedRows;
  pages.forEach((page, index) => {
    const want = wants(page);
    const has = held(page);
    // What it may have anyway costs nothing, unless the pages together have too much.
    const rows = Math.min(want.rows, freeRows < 0 ? page.room.rows : has.rows + freeRows);
    const parkedRows = Math.min(want.parkedRows, freeParked < 0 ? page.room.parkedRows : has.parkedRows + freeParked);
    if (rows <= page.room.rows && parkedRows <= page.room.parkedRows) return;
    freeRows -= Math.max(0, rows - has.rows);
    freeParked -= Math.max(0, parkedRows - has.parkedRows);
    change(index, Math.max(rows, page.room.rows), Math.max(parkedRows, page.room.parkedRows));
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
