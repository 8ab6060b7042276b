// A window that moves over a long list.
import { takeTurns } from '../../client/turns';

test('each item gets its turn, and a short list is shown whole', () => {
  const inTurn = takeTurns(2);
  expect(inTurn([1, 2])).toEqual([1, 2]);
  const seen = [1, 2, 3].map(() => inTurn([1, 2, 3, 4, 5]));
  expect(seen.every((some) => some.length === 2)).toBe(true);
  expect(new Set(seen.flat()).size).toBe(5);
});

test('a list that has become shorter is no trouble', () => {
  const inTurn = takeTurns(2);
  inTurn([1, 2, 3, 4, 5]);
  inTurn([1, 2, 3, 4, 5]);
  expect(inTurn([1, 2, 3])).toHaveLength(2);
});
