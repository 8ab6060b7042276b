// Calendar resets: the next midnight of a time zone, from the zone database, never by adding 24 h.

const DAY_MS = 86_400_000;

/** The first instant of the next local day in `zone` (an IANA name), in epoch milliseconds; null when no such zone is known here. */
export function nextMidnight(nowMs: number, zone: string): number | null {
  if (!isZone(zone)) return null;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const today = format.format(nowMs);
  // A local day lasts at most 25 hours, on a few islands once 48: search where the date changes, whatever the clock shows then.
  let [before, after] = [nowMs, nowMs + 2 * DAY_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (format.format(middle) === today) before = middle;
    else after = middle;
  }
  return after;
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}
