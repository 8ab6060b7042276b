// When a section tells its map how far it is: as seldom as a page does, so that the map's history does not grow with its rows. Pure.
import { sumRowCounts } from '../contracts/counting';
import { SECTION_REPORTS } from '../contracts/limits';
import type { PageReport, Room } from '../contracts/results';
import type { RoomLimits } from './room';

/** How far the rows that may still be open have fallen below the room: 1 below half, 2 below a tenth. */
const levelOf = (rest: number, room: number): number => (rest * 10 < room ? 2 : rest * 2 < room ? 1 : 0);

export class SectionReports {
  private confirmed: number;
  private toldVersion: number;
  private toldLevel = 0;
  private toldEnded = 0;
  private toldFailure = false;
  private toldGivenUp = false;

  constructor(
    public room: Room,
    private readonly rowCount: number,
    private readonly reportFirstFailure: boolean,
  ) {
    this.confirmed = room.version;
    this.toldVersion = room.version;
  }

  /** False for a room that was overtaken by a later one. */
  setRoom(room: Room): boolean {
    if (room.version <= this.room.version) return false;
    this.room = room;
    return true;
  }

  /**
   * The version of the room that a report may be written under. A room counts as confirmed once all that the pages may have fits
   * into it; until then the map goes on counting what the section had before.
   */
  versionFor(held: RoomLimits, parked: number): number {
    const fits = held.rows <= this.room.rows && held.parkedRows <= Math.max(this.room.parkedRows, parked);
    if (fits) this.confirmed = this.room.version;
    return this.confirmed;
  }

  /** True once for each thing that the map should hear; it then expects this report. `isKeptBack`: a cap keeps all other rows back. */
  isDue({ roomVersion, open, notStarted, rows, givenUp }: PageReport, isKeptBack: boolean): boolean {
    const ended = sumRowCounts(rows);
    const level = levelOf(open + notStarted, this.room.rows);
    const hasFailed = this.reportFirstFailure && rows.failed + rows.unknown > 0;
    const isDue =
      roomVersion > this.toldVersion ||
      level > this.toldLevel ||
      ended - this.toldEnded >= this.rowCount / SECTION_REPORTS ||
      (isKeptBack && ended > this.toldEnded) ||
      (hasFailed && !this.toldFailure) ||
      (givenUp !== undefined && !this.toldGivenUp);
    if (!isDue) return false;
    this.toldVersion = roomVersion;
    this.toldLevel = Math.max(level, this.toldLevel);
    this.toldEnded = ended;
    this.toldFailure ||= hasFailed;
    this.toldGivenUp ||= givenUp !== undefined;
    return true;
  }
}
