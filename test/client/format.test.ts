// Figures as a person reads them.
import { clock, counted, duration, money, table } from '../../client/format';
import { NOW_MS } from './fixtures/figures';

test.each([
  [0, '0s'],
  [42_400, '42s'],
  [185_000, '3m 05s'],
  [7_800_000, '2h 10m'],
  [356_400_000, '4d 03h'],
])('%d ms is %s', (ms, text) => expect(duration(ms)).toBe(text));

test('a time of day gets its date when it is a day or more away', () => {
  expect(clock(NOW_MS + 60_000, NOW_MS)).toMatch(/^\d\d:\d\d:\d\d$/);
  expect(clock(NOW_MS + 86_400_000, NOW_MS)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});

test('nouns follow their number', () => {
  expect([counted(1, 'row'), counted(0, 'row'), counted(2, 'row')]).toEqual(['1 row', '0 rows', '2 rows']);
});

test('money has at most four decimals', () => {
  expect([money(0.1 + 0.2), money(2), money(0.00004)]).toEqual(['0.3', '2', '0']);
});

test('a table aligns names to the left and figures to the right', () => {
  expect(
    table([
      ['column', 'done'],
      ['x', '1200'],
    ]),
  ).toEqual(['  column  done', '  x       1200']);
});
