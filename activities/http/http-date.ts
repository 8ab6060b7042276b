// Reads instants: the three HTTP-date forms (RFC 9110 5.6.7) and RFC 3339 with a zone. Never Date.parse, which invents dates and uses the local zone.

const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_WEEKDAY = '(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)';
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const CLOCK = '(?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})';

const IMF_FIXDATE = new RegExp(`^${WEEKDAY}, (?<day>[0-9]{2}) ${MONTH} (?<year>[0-9]{4}) ${CLOCK} GMT$`);
const RFC_850 = new RegExp(`^${LONG_WEEKDAY}, (?<day>[0-9]{2})-${MONTH}-(?<shortYear>[0-9]{2}) ${CLOCK} GMT$`);
const ASCTIME = new RegExp(`^${WEEKDAY} ${MONTH} (?<day>[0-9]{2}| [0-9]) ${CLOCK} (?<year>[0-9]{4})$`);
const RFC_3339 = new RegExp(
  `^(?<year>[0-9]{4})-(?<monthNumber>[0-9]{2})-(?<day>[0-9]{2})[Tt ]${CLOCK}(?:\\.(?<fraction>[0-9]+))?` +
    '(?:[Zz]|(?<sign>[+-])(?<zoneHour>[0-9]{2}):(?<zoneMinute>[0-9]{2}))$',
);

const YEARS_AHEAD = 50;

/** Epoch milliseconds of an HTTP-date, null when the text is none. `nowMs` decides the century of a two-digit year. The weekday is not compared. */
export function parseHttpDate(text: string, nowMs: number): number | null {
  const parts = (IMF_FIXDATE.exec(text) ?? RFC_850.exec(text) ?? ASCTIME.exec(text))?.groups;
  if (!parts) return null;
  const year = parts.year === undefined ? centuryOf(Number(parts.shortYear), nowMs) : Number(parts.year);
  return instant(year, MONTHS.indexOf(parts.month ?? '') + 1, parts);
}

/** Epoch milliseconds of an RFC 3339 stamp, rounded up to the millisecond; null without a zone. */
export function parseRfc3339(text: string): number | null {
  const parts = RFC_3339.exec(text)?.groups;
  if (!parts) return null;
  const whole = instant(Number(parts.year), Number(parts.monthNumber), parts);
  const zoneMinutes = Number(parts.zoneHour ?? 0) * 60 + Number(parts.zoneMinute ?? 0);
  if (whole === null || Number(parts.zoneHour ?? 0) > 23 || Number(parts.zoneMinute ?? 0) > 59) return null;
  return whole + milliseconds(parts.fraction ?? '') - (parts.sign === '-' ? -zoneMinutes : zoneMinutes) * 60_000;
}

function instant(year: number, month: number, parts: Record<string, string | undefined>): number | null {
  const [day, hour, minute, second] = [parts.day, parts.hour, parts.minute, parts.second].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  // A leap second is written :60 and is the first second of the next minute.
  if (hour > 23 || minute > 59 || second > 60) return null;
  // Not Date.UTC: it moves the years 0 to 99 into the 20th century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return date.getTime();
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** The latest year with these two digits that is not more than 50 years ahead. */
function centuryOf(shortYear: number, nowMs: number): number {
  const latest = new Date(nowMs).getUTCFullYear() + YEARS_AHEAD;
  return latest - ((((latest - shortYear) % 100) + 100) % 100);
}

const milliseconds = (fraction: string): number =>
  Number(fraction.slice(0, 3).padEnd(3, '0')) + (/[1-9]/.test(fraction.slice(3)) ? 1 : 0);
