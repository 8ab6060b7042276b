// When a section tells its map something: as seldom as possible, never too late.
import { noCountTable, noRowCounts } from '../../contracts/counting';
import type { PageReport } from '../../contracts/results';
import { SectionReports } from '../../workflows/section-reports';

const report = (roomVersion: number, done: number, open: number, notStarted: number): PageReport => ({
  ...{ page: 0, roomVersion, open, parked: 0, notStarted },
  rows: { ...noRowCounts(), done },
  counts: noCountTable(),
});
const reports = (failFast = false) => new SectionReports({ version: 0, rows: 10, parkedRows: 5 }, 1000, failFast);

test('progress is told by twentieths of its rows', () => {
  const section = reports();
  expect(section.isDue(report(0, 49, 10, 941), false)).toBe(false);
  expect(section.isDue(report(0, 50, 10, 940), false)).toBe(true);
  expect(section.isDue(report(0, 99, 10, 891), false)).toBe(false);
});

test('near its end it tells once below half and once below a tenth of its room, so that the next section opens', () => {
  const section = reports();
  expect(section.isDue(report(0, 990, 10, 0), false)).toBe(true);
  expect(section.isDue(report(0, 995, 5, 0), false)).toBe(false);
  expect(section.isDue(report(0, 996, 4, 0), false)).toBe(true);
  expect(section.isDue(report(0, 997, 3, 0), false)).toBe(false);
  expect(section.isDue(report(0, 1000, 0, 0), false)).toBe(true);
});

test('a lower room is confirmed only when all that the pages may have fits into it', () => {
  const section = reports();
  expect(section.setRoom({ version: 2, rows: 4, parkedRows: 5 })).toBe(true);
  expect(section.setRoom({ version: 1, rows: 10, parkedRows: 5 })).toBe(false);
  expect(section.versionFor({ rows: 6, parkedRows: 0 }, 0)).toBe(0);
  expect(section.versionFor({ rows: 4, parkedRows: 8 }, 3)).toBe(0);
  expect(section.versionFor({ rows: 4, parkedRows: 8 }, 8)).toBe(2);
  expect(section.isDue(report(2, 0, 4, 996), false)).toBe(true);
  expect(section.isDue(report(2, 0, 4, 996), false)).toBe(false);
});

test('the first failed row of a map that ends with it is told at once, and only then', () => {
  const failed = { ...report(0, 1, 10, 988), rows: { ...noRowCounts(), done: 1, failed: 1 } };
  expect(reports().isDue(failed, false)).toBe(false);
  const section = reports(true);
  expect(section.isDue(failed, false)).toBe(true);
  expect(section.isDue(failed, false)).toBe(false);
});

test('what a cap keeps back is told whenever rows have ended since', () => {
  const section = reports();
  expect(section.isDue(report(0, 3, 0, 997), true)).toBe(true);
  expect(section.isDue(report(0, 3, 0, 997), true)).toBe(false);
});
