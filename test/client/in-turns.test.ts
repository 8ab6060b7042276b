// Bounded concurrency.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inTurns } from '../../client/in-turns';

test('never more than the bound are under way, and results keep the order of the items', async () => {
  let underWay = 0;
  let most = 0;
  const results = await inTurns([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await nextTurn();
    underWay -= 1;
    return item * 10;
  });
  expect(results).toEqual([10, 20, 30, 40, 50, 60, 70]);
  expect(most).toBe(3);
});

test('no items give no results, an error ends it', async () => {
  expect(await inTurns([], 3, async () => 1)).toEqual([]);
  await expect(inTurns([1], 3, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});

test('when it is enough what was begun ends, and nothing more is begun', async () => {
  const begun: number[] = [];
  const run = async (item: number) => {
    begun.push(item);
    await nextTurn();
    return item;
  };
  expect(await inTurns([1, 2, 3, 4, 5], 2, run, () => begun.length >= 3)).toEqual([1, 2, 3]);
});
