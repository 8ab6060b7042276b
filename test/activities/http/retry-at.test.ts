// One time value: the accepted forms give what they say, everything else is absent, and nothing ever becomes NaN or comes early.
import fc from 'fast-check';
import {
  FAR_MS,
  parseDuration,
  parseNumberOf,
  parseTimeValue,
  readTimeValues,
} from '../../../activities/http/retry-at';

const valuesOf = (lines: readonly string[], nowMs: number) => readTimeValues(lines, nowMs).map(({ value }) => value);

const now = Date.UTC(2026, 11, 1, 12);
const delay = (ms: number) => ({ kind: 'delay', ms });
const instant = (text: string) => ({ kind: 'instant', epochMs: Date.parse(text) });

test.each([
  ['0', delay(0)],
  ['120', delay(120_000)],
  ['007', delay(7_000)],
  [' \t45  ', delay(45_000)],
  ['1.5', delay(1_500)],
  ['0.0701', delay(71)],
  ['0.07', delay(70)],
  ['999999999', delay(999_999_999_000)],
  ['1796126460', instant('2026-12-01T12:01:00Z')],
  ['1796126460.25', instant('2026-12-01T12:01:00.250Z')],
  ['1796126460001', instant('2026-12-01T12:01:00.001Z')],
  ['1796126460001001', instant('2026-12-01T12:01:00.002Z')],
  ['1796126460001000001', instant('2026-12-01T12:01:00.002Z')],
  ['1000000000', instant('2001-09-09T01:46:40Z')],
  ['9999999999', delay(9_999_999_999_000)],
  ['9'.repeat(400), delay(FAR_MS)],
  ['Tue, 01 Dec 2026 12:02:00 GMT', instant('2026-12-01T12:02:00Z')],
  ['Tuesday, 01-Dec-26 12:02:00 GMT', instant('2026-12-01T12:02:00Z')],
  ['Tue Dec  1 12:02:00 2026', instant('2026-12-01T12:02:00Z')],
  ['Thu, 31 Dec 2026 23:59:60 GMT', instant('2027-01-01T00:00:00Z')],
  ['Tue, 29 Feb 2028 00:00:00 GMT', instant('2028-02-29T00:00:00Z')],
  ['Friday, 01-Jan-76 00:00:00 GMT', instant('2076-01-01T00:00:00Z')],
  ['Saturday, 01-Jan-77 00:00:00 GMT', { kind: 'instant', epochMs: Date.parse('1977-01-01T00:00:00Z') }],
  ['2026-12-01T12:00:45Z', instant('2026-12-01T12:00:45Z')],
  ['2026-12-01t13:00:45.1234+01:00', instant('2026-12-01T12:00:45.124Z')],
  ['1m0s', delay(60_000)],
  ['20ms', delay(20)],
  ['1h2m3.5s', delay(3_723_500)],
  ['1.5h', delay(5_400_000)],
  ['100us', delay(1)],
])('%s is read', (text, expected) => {
  expect(parseTimeValue(text, now)).toEqual(expected);
});

test.each([
  '',
  ' ',
  '-3',
  '+3',
  '-0',
  'NaN',
  'Infinity',
  '0x10',
  '1e3',
  '120junk',
  '120 s',
  '1,5',
  '1.',
  '.5',
  '1.5.1',
  '²',
  '１２',
  'soon',
  '\n5',
  'Sun, 31 Feb 2027 12:00:00 GMT',
  'Mon, 29 Feb 2027 12:00:00 GMT',
  'Tue, 01 Dec 2026 24:00:00 GMT',
  'Tue, 01 Dec 2026 12:60:00 GMT',
  'Tue, 01 Dec 2026 12:00:61 GMT',
  'Tue, 1 Dec 2026 12:00:00 GMT',
  'Tue, 01 Dec 2026 12:00:00 UTC',
  'Tue, 01 Dec 2026 12:00:00',
  'Tue, 00 Dec 2026 12:00:00 GMT',
  'tue, 01 dec 2026 12:00:00 gmt',
  'Tue, 01 Dec 2026 12:00:00 GMT junk',
  'Tuesday, 01-Dec-2026 12:02:00 GMT',
  'Tue Dec 1 12:02:00 2026',
  '2026-12-01',
  '2026-12-01T12:01:00',
  '2026-12-01 12:00:40',
  '2026-13-01T12:00:00Z',
  '2026-12-01T12:00:00+24:00',
  '2026-12-01T12:00:00+01:60',
  '1d',
  '1h 2m',
  'ms',
  '1m-2s',
  '-1m',
])('%j is absent, not zero', (text) => {
  expect(parseTimeValue(text, now)).toBeNull();
});

test.each([
  [
    ['60', '120'],
    [60_000, 120_000],
  ],
  [['60, 120'], [60_000, 120_000]],
  [['60, soon, 5'], [60_000, 5_000]],
  [[''], []],
  [[], []],
])('of several values %j each readable one counts', (lines, expected) => {
  expect(valuesOf(lines, now).map((value) => value.kind === 'delay' && value.ms)).toEqual(expected);
});

test('a comma inside a date separates nothing', () => {
  const dates = ['Tue, 01 Dec 2026 12:02:00 GMT', 'Tuesday, 01-Dec-26 12:03:00 GMT'];
  const expected = [instant('2026-12-01T12:02:00Z'), instant('2026-12-01T12:03:00Z')];
  expect(valuesOf([dates.join(', ')], now)).toEqual(expected);
  expect(valuesOf([`5,${dates[1]}`], now)).toEqual([delay(5_000), expected[1]]);
});

test('a field in a known unit takes plain numbers only', () => {
  expect(parseNumberOf('ms', '450')).toBe(450);
  expect(parseNumberOf('s', '64.57')).toBe(64_570);
  expect(parseNumberOf('m', '2')).toBe(120_000);
  expect(['', 'abc', '-1', '1e3', 'Infinity', '1s'].map((text) => parseNumberOf('ms', text))).toEqual(
    Array(6).fill(null),
  );
});

describe('for all texts', () => {
  const grammar = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.stringMatching(/^[0-9.,:+\-eEx ]{0,30}$/),
    fc.stringMatching(/^([0-9]{1,6}(\.[0-9]{1,4})?(ns|us|ms|s|m|h)){1,4}$/),
    fc.stringMatching(/^[A-Z][a-z]{2}, [0-3][0-9] (Jan|Feb|Dec) [0-9]{4} [0-2][0-9]:[0-6][0-9]:[0-6][0-9] GMT$/),
    fc.stringMatching(
      /^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9](\.[0-9]{1,9})?(Z|[+-][0-2][0-9]:[0-5][0-9])$/,
    ),
  );

  test('a value is absent, or a whole number of milliseconds from 0 to what a Date can hold', () => {
    fc.assert(
      fc.property(fc.array(grammar, { maxLength: 3 }), (lines) => {
        for (const value of valuesOf([...lines, lines.join(', ')], now)) {
          const ms = value.kind === 'delay' ? value.ms : value.epochMs;
          expect(Number.isSafeInteger(ms) && ms >= 0 && ms <= FAR_MS).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('seconds are never rounded down, and up by less than a millisecond', () => {
    fc.assert(
      fc.property(fc.nat(99_999_999), fc.nat(999_999), (whole, micros) => {
        const value = parseTimeValue(`${whole}.${String(micros).padStart(6, '0')}`, now);
        const askedMicros = BigInt(whole) * 1_000_000n + BigInt(micros);
        const gotMicros = BigInt(value?.kind === 'delay' ? value.ms : -1) * 1_000n;
        expect(gotMicros >= askedMicros && gotMicros < askedMicros + 1_000n).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('what toUTCString and toISOString write is read back', () => {
    const dates = fc.date({
      min: new Date('1970-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => {
        const seconds = Math.floor(date.getTime() / 1_000) * 1_000;
        expect(parseTimeValue(date.toUTCString(), now)).toEqual({ kind: 'instant', epochMs: seconds });
        expect(parseTimeValue(date.toISOString(), now)).toEqual({ kind: 'instant', epochMs: date.getTime() });
      }),
      { numRuns: 300 },
    );
  });

  test('a duration is the sum of its parts', () => {
    fc.assert(
      fc.property(fc.nat(99), fc.nat(59), fc.nat(59), fc.nat(999), (hours, minutes, seconds, ms) => {
        const expected = ((hours * 60 + minutes) * 60 + seconds) * 1_000 + ms;
        expect(parseDuration(`${hours}h${minutes}m${seconds}s${ms}ms`)).toBe(expected);
      }),
      { numRuns: 200 },
    );
  });
});
