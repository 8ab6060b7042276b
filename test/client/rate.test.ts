// Rows per second over a window, and a rest time only where it is not a guess.
import { restMs, rowsPerSecond, type Sample, withSample } from '../../client/rate';

const everySecond = (count: number, rowsEach: number): Sample[] =>
  Array.from({ length: count }, (_, second) => second).reduce<Sample[]>(
    (samples, second) => withSample(samples, { atMs: second * 1000, ended: second * rowsEach }),
    [],
  );

test('the rate is measured over the last ten seconds', () => {
  const slow = everySecond(60, 2);
  expect(slow[0]?.atMs).toBe(49_000);
  expect(rowsPerSecond(slow)).toBe(2);
});

test('a burst that is longer ago than the window counts no more', () => {
  const samples = [0, 5, 11, 16, 22].reduce<Sample[]>(
    (all, second) => withSample(all, { atMs: second * 1000, ended: second < 11 ? 0 : 1000 }),
    [],
  );
  expect(rowsPerSecond(samples)).toBe(0);
});

test('with less than half a window seen there is no rate yet', () => {
  expect(rowsPerSecond(everySecond(5, 10))).toBeNull();
  expect(rowsPerSecond(everySecond(6, 10))).toBe(10);
  expect(rowsPerSecond([])).toBeNull();
});

describe('restMs', () => {
  const none = { parked: 0, closedProviders: 0 };

  test('is the rows left at this rate', () => {
    expect(restMs(20, 300, none)).toBe(15_000);
  });

  test.each([
    ['there is no rate yet', null, none],
    ['nothing ended lately', 0, none],
    ['rows are parked', 20, { parked: 1, closedProviders: 0 }],
    ['a provider is closed', 20, { parked: 0, closedProviders: 1 }],
  ])('is not said when %s', (_, rate, waits) => {
    expect(restMs(rate, 300, waits)).toBeNull();
  });
});
