import { durationProblem, formatDuration, parseDuration } from '../../contracts/duration';

test.each([
  ['500ms', 500],
  ['5s', 5000],
  ['2m', 120_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['0s', 0],
])('%s is %d milliseconds', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

test.each(['', '5', 's', '5 s', ' 5s', '05s', '-1s', '1.5s', '1e3ms', '5S', '5sec', '1h30m', '5s\n', '٥s'])(
  'a duration of another form is refused, naming it: %j',
  (text) => {
    expect(() => parseDuration(text)).toThrow(
      `expected a duration such as 500ms, 5s, 2m, 24h or 7d, found ${JSON.stringify(text)}`,
    );
  },
);

test('a duration that no number holds exactly is refused', () => {
  expect(() => parseDuration('999999999999d')).toThrow(RangeError);
});

test('bounds belong to the duration, and a message names them in the shortest form', () => {
  const bounds = { minMs: 1000, maxMs: 600_000 };
  expect(durationProblem('1s', bounds)).toBeNull();
  expect(durationProblem('10m', bounds)).toBeNull();
  expect(durationProblem('999ms', bounds)).toBe('expected a duration from 1s to 10m');
  expect(durationProblem('11m', bounds)).toBe('expected a duration from 1s to 10m');
});

test.each([
  [0, '0ms'],
  [1500, '1500ms'],
  [90_000, '90s'],
  [7_200_000, '2h'],
  [172_800_000, '2d'],
])('%d milliseconds read %s and back', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
  expect(parseDuration(text)).toBe(milliseconds);
});
