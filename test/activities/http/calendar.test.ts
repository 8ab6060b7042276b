// The next midnight comes from the zone database: days have 23, 24 or 25 hours, and some begin at one o'clock.
import { nextMidnight } from '../../../activities/http/calendar';

test.each([
  ['UTC', '2026-12-01T12:00:00Z', '2026-12-02T00:00:00Z'],
  ['UTC', '2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z'],
  ['UTC', '2026-12-01T23:59:59.999Z', '2026-12-02T00:00:00Z'],
  ['America/Los_Angeles', '2026-12-01T12:00:00Z', '2026-12-02T08:00:00Z'],
  ['America/Los_Angeles', '2026-07-01T12:00:00Z', '2026-07-02T07:00:00Z'],
  // The night the clocks go back, and the one they go forward.
  ['America/Los_Angeles', '2026-11-01T07:30:00Z', '2026-11-02T08:00:00Z'],
  ['America/Los_Angeles', '2026-03-08T09:00:00Z', '2026-03-09T07:00:00Z'],
  // No midnight at all: 23:59 is followed by 01:00.
  ['Africa/Cairo', '2026-04-23T12:00:00Z', '2026-04-23T22:00:00Z'],
  ['Asia/Kathmandu', '2026-12-01T12:00:00Z', '2026-12-01T18:15:00Z'],
  // 30 December 2011 did not happen in Samoa.
  ['Pacific/Apia', '2011-12-29T12:00:00Z', '2011-12-30T10:00:00Z'],
])('%s at %s', (zone, now, expected) => {
  const midnight = nextMidnight(Date.parse(now), zone);
  expect(midnight === null ? null : new Date(midnight).toISOString()).toBe(new Date(expected).toISOString());
});

test('an unknown zone has no midnight', () => {
  expect(nextMidnight(0, 'Mars/Olympus')).toBeNull();
});
