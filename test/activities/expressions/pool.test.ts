// A pool of a few things.
import { createPool } from '../../../activities/expressions/pool';

let made = 0;
const start = async () => {
  made += 1;
  return made;
};

beforeEach(() => {
  made = 0;
});

test('no more are started than allowed, and who waits gets the next free one, in turn', async () => {
  const pool = createPool<number>(2);
  expect([await pool.take(start), await pool.take(start)]).toEqual([1, 2]);
  const third = pool.take(start);
  const fourth = pool.take(start);
  pool.giveBack(2);
  pool.giveBack(1);
  expect([await third, await fourth, made]).toEqual([2, 1, 2]);
});

test('one that has ended is replaced, for who waits or for the next who comes', async () => {
  const pool = createPool<number>(1);
  await pool.take(start);
  const waiting = pool.take(start);
  pool.giveBack(null);
  expect(await waiting).toBe(2);
  pool.giveBack(null);
  expect(await pool.take(start)).toBe(3);
});

test('one that does not start frees its place', async () => {
  const pool = createPool<number>(1);
  await expect(pool.take(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await pool.take(start)).toBe(1);
});
